/** A kind of software: the collection it fills, the words its repositories are named by, the languages it is written in. */
export interface Category {
  readonly collection: string;
  readonly public: boolean;
  /** How many repositories of the category itself its collection holds; some of the next category are added. */
  readonly size: number;
  readonly nouns: readonly string[];
  readonly languages: readonly string[];
}

export const CATEGORIES: readonly Category[] = [
  category('Web Framework', 13, 'web router http stack', ['TypeScript', 'JavaScript', 'PHP', 'Ruby']),
  category('Time Series Database', 8, 'series tsdb ticks ingest', ['Go', 'Rust', 'C++']),
  category('Static Site Generator', 11, 'press pages folio static', ['JavaScript', 'Go', 'HTML']),
  category('Machine Learning Framework', 10, 'tensor grad model neuron', ['Python', 'C++', 'Julia']),
  { ...category('Incubating Projects', 8, 'lab seed draft sketch', ['Kotlin', 'Swift', 'Dart']), public: false },
  category('Container Orchestration', 7, 'fleet pods cluster dock', ['Go', 'Shell']),
  category('Graph Database', 6, 'graph nodes edges link', ['Java', 'C++', 'C#']),
  category('Message Queue', 8, 'queue relay stream topic', ['Java', 'Erlang', 'Rust']),
  category('Text Editor', 9, 'edit pad quill cursor', ['C', 'Emacs Lisp', 'Lua']),
  category('Programming Language', 7, 'lang script compiler syntax', ['C++', 'Rust', 'OCaml']),
  category('Monitoring Tool', 10, 'metrics watchdog probe trace', ['Go', 'Python', 'TypeScript']),
  category('Game Engine', 6, 'engine sprite voxel physics', ['C++', 'C#', 'Lua']),
];

function category(collection: string, size: number, nouns: string, languages: readonly string[]): Category {
  return { collection, public: true, size, nouns: nouns.split(' '), languages };
}
