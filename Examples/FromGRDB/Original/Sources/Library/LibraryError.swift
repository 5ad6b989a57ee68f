/// The reasons why the desk refuses a request.
enum LibraryError: Error, Equatable {
  case noCopyLeft(title: String)
  case blockedMember
  case untitledBook
}
