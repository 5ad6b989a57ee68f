internal import Glibc

Output.occupyStandardDescriptors()
// A closed pipe is an error of `write`, and not the sudden end of the process.
signal(SIGPIPE, SIG_IGN)
exit(Tool.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
