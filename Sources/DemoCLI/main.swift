internal import CommandLineSupport
internal import Glibc

Output.occupyStandardDescriptors()
// Writing to a closed pipe fails with an error instead of ending the process.
signal(SIGPIPE, SIG_IGN)
Memory.shareBetweenThreads()
exit(Tool.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
