/// A failure of the tool, described in a sentence for the user.
package struct ToolError: Error, Equatable {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}
