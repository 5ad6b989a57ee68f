/// The certificates with which this machine and etcd recognise each other.
public struct EtcdSecurity: Hashable, Sendable {
  /// The file with the authorities that sign the servers' certificates, or `nil` for the system's
  /// authorities.
  public var authorityFile: String?

  /// The file with the certificate of this machine.
  public var certificateFile: String?

  /// The file with the private key of this machine.
  public var keyFile: String?

  /// Makes a value of the paths of PEM files.
  public init(
    authorityFile: String? = nil,
    certificateFile: String? = nil,
    keyFile: String? = nil
  ) {
    self.authorityFile = authorityFile
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }
}
