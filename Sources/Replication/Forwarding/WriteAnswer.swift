internal import Storage

/// The outcome of one attempt to write.
enum WriteAnswer: Hashable, Sendable {
  /// The write was made or refused. The token contains it.
  case ended(WriteResult, WriteToken)
  /// The attempt has written nothing. Another one may.
  case notWritten(String)
  /// The attempt has written nothing, and another one would not either.
  case notAccepted(String)
  /// The attempt may have written, or may do so later.
  case unknown(String)
}

/// How a write has ended.
enum WriteResult: Hashable, Sendable {
  /// It was made, and has this output as JSON.
  case output([UInt8])
  /// It was refused.
  case refusal(ForwardedWriteError)
}

extension WriteResult {
  /// The result as bytes: as a part of an answer, and in the table of ``WriteIDTable``.
  func encoded() -> [UInt8] {
    switch self {
    case .output(let bytes): return [1] + bytes
    case .refusal(let error):
      var bytes: [UInt8] = [2]
      bytes.append(number: error.resultCode?.rawValue ?? 0)
      return bytes + Array(error.message.utf8)
    }
  }

  /// Reads a result.
  ///
  /// - Throws: ``ForwardingFormatError``.
  init(decoding bytes: ArraySlice<UInt8>) throws(ForwardingFormatError) {
    do {
      var reader = ByteReader(bytes)
      switch try reader.integer(UInt8.self) {
      case 1: self = .output(Array(try reader.take(reader.remaining)))
      case 2:
        let code = try reader.integer(Int32.self)
        let text = String(decoding: try reader.take(reader.remaining), as: UTF8.self)
        self = .refusal(
          ForwardedWriteError(text, resultCode: code == 0 ? nil : ResultCode(rawValue: code))
        )
      default: throw ForwardingFormatError.damaged
      }
    } catch {
      throw error as? ForwardingFormatError ?? .damaged
    }
  }
}

// "WSWA", the version, the kind, and its content.
extension WriteAnswer {
  private static let magic = Array("WSWA".utf8)

  /// The answer as bytes.
  func encoded() -> [UInt8] {
    var bytes = Self.magic + [WriteRequest.version]
    switch self {
    case .ended(let result, let token):
      bytes.append(1)
      bytes.append(number: token.epoch)
      bytes.append(number: token.sequence)
      bytes += result.encoded()
    case .notWritten(let text): bytes += [2] + Array(text.utf8)
    case .notAccepted(let text): bytes += [3] + Array(text.utf8)
    case .unknown(let text): bytes += [4] + Array(text.utf8)
    }
    return bytes
  }

  /// Reads an answer, which may come from a proxy instead of a node.
  ///
  /// - Throws: ``ForwardingFormatError``.
  init(decoding bytes: [UInt8]) throws(ForwardingFormatError) {
    self = try ForwardingFormatError.reading(bytes, after: Self.magic) { reader in
      let kind = try reader.integer(UInt8.self)
      if kind == 1 {
        let token = WriteToken(
          epoch: try reader.integer(Int64.self),
          sequence: try reader.integer(Int64.self)
        )
        return .ended(try WriteResult(decoding: reader.take(reader.remaining)), token)
      }
      // A text from outside, for an error that people read.
      let text = String(decoding: try reader.take(reader.remaining).prefix(4_000), as: UTF8.self)
      switch kind {
      case 2: return .notWritten(text)
      case 3: return .notAccepted(text)
      case 4: return .unknown(text)
      default: throw ForwardingFormatError.damaged
      }
    }
  }
}
