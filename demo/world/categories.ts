/** A category of software. A category has a collection, words for repository names, and languages. */
export interface Category {
  readonly collection: string;
  readonly public: boolean;
  /**
   * The number of repositories of this category in its collection. The collection also contains some repositories of
   * the previous category.
   */
  readonly size: number;
  readonly nouns: readonly string[];
  readonly languages: readonly string[];
}

export const CATEGORIES: readonly Category[] = [
  createCategory('Web Framework', 13, 'web router http stack', ['TypeScript', 'JavaScript', 'PHP', 'Ruby']),
  createCategory('Time Series Database', 8, 'series tsdb ticks ingest', ['Go', 'Rust', 'C++']),
  createCategory('Static Site Generator', 11, 'press pages folio static', ['JavaScript', 'Go', 'HTML']),
  createCategory('Machine Learning Framework', 10, 'tensor grad model neuron', ['Python', 'C++', 'Julia']),
  { ...createCategory('Incubating Projects', 8, 'lab seed draft sketch', ['Kotlin', 'Swift', 'Dart']), public: false },
  createCategory('Container Orchestration', 7, 'fleet pods cluster dock', ['Go', 'Shell']),
  createCategory('Graph Database', 6, 'graph nodes edges link', ['Java', 'C++', 'C#']),
  createCategory('Message Queue', 8, 'queue relay stream topic', ['Java', 'Erlang', 'Rust']),
  createCategory('Text Editor', 9, 'edit pad quill cursor', ['C', 'Emacs Lisp', 'Lua']),
  createCategory('Programming Language', 7, 'lang script compiler syntax', ['C++', 'Rust', 'OCaml']),
  createCategory('Monitoring Tool', 10, 'metrics watchdog probe trace', ['Go', 'Python', 'TypeScript']),
  createCategory('Game Engine', 6, 'engine sprite voxel physics', ['C++', 'C#', 'Lua']),
];

function createCategory(collection: string, size: number, nouns: string, languages: readonly string[]): Category {
  return { collection, public: true, size, nouns: nouns.split(' '), languages };
}
