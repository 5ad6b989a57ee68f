/// The name and the password of a user of etcd.
public struct EtcdCredentials: Hashable, Sendable {
  /// The user's name.
  public var user: String

  /// The user's password.
  public var password: String

  /// Makes a value of a name and a password.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

extension EtcdCredentials: CustomStringConvertible, CustomDebugStringConvertible {
  /// The user's name, without the password.
  public var description: String { "user \(user)" }

  /// The user's name, without the password.
  public var debugDescription: String { description }
}

extension EtcdCredentials: CustomReflectable {
  /// A mirror without the password.
  public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
