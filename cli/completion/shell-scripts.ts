export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/**
 * Returns the script that a shell loads once. It runs the program for each completion, so the script need not be updated when commands and
 * definitions change. The program prints one line per value: the value, a tab and a description. It prints `:files` if a path is possible.
 */
export function shellScript(shell: Shell, program: string): string {
  return SCRIPTS[shell]
    .replaceAll('PROGRAM', program)
    .replaceAll('FUNCTION', `_${program.replaceAll('-', '_')}_complete`);
}

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of PROGRAM in bash. Add to ~/.bashrc: source <(PROGRAM completion bash)
FUNCTION() {
  local line word="\${COMP_WORDS[COMP_CWORD]}"
  [[ $word == = ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("$1" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F FUNCTION PROGRAM`,
  zsh: `#compdef PROGRAM
# Completion of PROGRAM in zsh. Add to ~/.zshrc, after compinit: source <(PROGRAM completion zsh)
FUNCTION() {
  local line files=0
  local -a values
  for line in "\${(@f)$($words[1] complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( $#values )) && _describe PROGRAM values
  (( files )) && _files
}
compdef FUNCTION PROGRAM`,
  fish: `# Completion of PROGRAM in fish. Write it to ~/.config/fish/completions/PROGRAM.fish
function FUNCTION
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  for line in ($words[1] complete -- $words[2..-1] "$word" 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path "$word"
    else
      echo $line
    end
  end
end
complete -c PROGRAM -f -a '(FUNCTION)'`,
};
