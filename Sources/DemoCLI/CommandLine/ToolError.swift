/// A failure of the tool, described in a sentence for the user.
struct ToolError: Error, Equatable {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// A failure that needs no message any more.
struct SilentFailure: Error, Equatable {
  let exitCode: Tool.ExitCode
}
