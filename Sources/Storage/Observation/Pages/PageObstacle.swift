/// Why it cannot be told from pages what commits have changed.
enum PageObstacle: Error, Hashable, Sendable {
  /// The pages are not those of a sound database.
  case damaged
  /// The schema, the file's header or its layout has changed.
  case schema
  /// The file moves its pages by `auto_vacuum`, or is huge.
  case layout
  /// A page has changed, and it is not known to what it belongs.
  case unexplained
  /// The log was restarted, or a page was overwritten, before it could be read.
  case overwritten
  /// More pages have changed than are worth reading.
  case large
  /// The files could not be read.
  case unreadable
  /// It is not known where the commits begin.
  case unknownStart
  /// There is no log.
  case noLog
  /// The index of the log could not be read.
  case noIndex
  /// A commit may have written attached files, whose logs are not read.
  case attached
  /// Another file is at the path.
  case otherFile
  /// Their pages were not read.
  case unread
}

extension PageObstacle: CustomStringConvertible {
  /// The end of a sentence that begins with "it is unknown what has changed, because".
  var description: String {
    switch self {
    case .damaged: "the pages are not those of a sound database"
    case .schema: "the schema or the header of the file has changed"
    case .layout: "the file uses auto_vacuum, or is huge"
    case .unexplained: "a page has changed that belongs to no changed row"
    case .overwritten: "the log was overwritten before it was read"
    case .large: "very many pages have changed"
    case .unreadable: "the pages could not be read"
    case .unknownStart: "the log was not known before"
    case .noLog: "the file has no log"
    case .noIndex: "the index of the log could not be read"
    case .attached: "attached files have changed, or may have"
    case .otherFile: "another file is at the path"
    case .unread: "no page was read"
    }
  }
}
