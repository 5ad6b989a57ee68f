/// A failure that needs no message any more.
struct SilentFailure: Error, Equatable {
  let exitCode: Tool.ExitCode
}
