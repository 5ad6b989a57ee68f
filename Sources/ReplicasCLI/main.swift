internal import CommandLineSupport
internal import Foundation

Output.occupyStandardDescriptors()
// Writing to a closed pipe fails with an error instead of ending the process.
signal(SIGPIPE, SIG_IGN)
exit(ReplicasTool.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
