/// What the desk refuses.
enum LibraryError: Error, Equatable {
  case noCopyLeft(title: String)
  case blockedMember
  case untitledBook
}
