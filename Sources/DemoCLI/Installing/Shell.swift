internal import CommandLineSupport

/// A shell for which there are completions.
enum Shell: String, NamedOption {
  case bash
  case zsh
  case fish

  /// Returns the script that completes the tool's commands, options and files.
  func completions(for commands: [any Subcommand.Type]) -> String {
    switch self {
    case .bash: Self.bashScript(commands)
    case .zsh: Self.zshScript(commands)
    case .fish: Self.fishScript(commands)
    }
  }

  private static func bashScript(_ commands: [any Subcommand.Type]) -> String {
    let cases = commands.map { command in
      "    \(command.name)) words='\(options(command).joined(separator: " "))' ;;\n"
    }
    return """
      # Completions of wellspring for bash.
      _wellspring() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=
        COMPREPLY=()
        case $previous in
          --format) words='\(formats)' ;;
        esac
        if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$previous" = help ]; }; then
          words='\(names(commands))'
          # A file can stand in the place of a command.
          [ "$previous" = help ] || COMPREPLY=($(compgen -f -- "$current"))
        elif [[ $current == -* ]]; then
          case ${COMP_WORDS[1]} in
      \(cases.joined())    esac
        fi
        if [ -n "$words" ]; then
          COMPREPLY+=($(compgen -W "$words" -- "$current"))
        else
          COMPREPLY=($(compgen -f -- "$current"))
        fi
      }
      complete -o filenames -F _wellspring wellspring

      """
  }

  private static func zshScript(_ commands: [any Subcommand.Type]) -> String {
    let list = commands.map { "    '\($0.name):\(quoted($0.summary))'\n" }
    let cases = commands.map {
      "    \($0.name)) compadd -- \(options($0).joined(separator: " ")) ;;\n"
    }
    return """
      #compdef wellspring
      # Completions of wellspring for zsh.
      if (( CURRENT == 2 )); then
        local -a commands
        commands=(
      \(list.joined())  )
        _describe command commands
        _files
      elif [[ $words[CURRENT-1] == --format ]]; then
        compadd -- \(formats)
      elif [[ $words[2] == help ]]; then
        compadd -- \(names(commands))
      elif [[ $PREFIX == -* ]]; then
        case $words[2] in
      \(cases.joined())  esac
      else
        _files
      fi

      """
  }

  private static func fishScript(_ commands: [any Subcommand.Type]) -> String {
    var lines = [
      "# Completions of wellspring for fish.",
      "complete -c wellspring -n __fish_use_subcommand -F",
      "complete -c wellspring -n __fish_use_subcommand -a help -d 'shows the help of a command'",
      "complete -c wellspring -n '__fish_seen_subcommand_from help' -f -a '\(names(commands))'",
    ]
    for command in commands {
      lines.append(
        "complete -c wellspring -n __fish_use_subcommand -a \(command.name) "
          + "-d '\(quoted(command.summary))'"
      )
      let isSeen = "-n '__fish_seen_subcommand_from \(command.name)'"
      for option in command.syntax.flags.sorted() {
        lines.append("complete -c wellspring \(isSeen) -l \(option)")
      }
      for option in command.syntax.options.union(command.syntax.lists).sorted() {
        let values = option == "format" ? " -f -a '\(formats)'" : ""
        lines.append("complete -c wellspring \(isSeen) -l \(option) -r\(values)")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static var formats: String {
    StreamFormat.allCases.map(\.rawValue).joined(separator: " ")
  }

  private static func names(_ commands: [any Subcommand.Type]) -> String {
    (commands.map { $0.name } + ["help"]).joined(separator: " ")
  }

  private static func options(_ command: any Subcommand.Type) -> [String] {
    let syntax = command.syntax
    return (syntax.flags.union(syntax.options).union(syntax.lists).sorted() + ["help"])
      .map { "--\($0)" }
  }

  /// Returns a text as it stands between single quotes.
  private static func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }
}
