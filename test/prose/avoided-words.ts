/** A word or phrase that readers found unclear, and what to write. */
export interface AvoidedWord {
  readonly pattern: RegExp;
  readonly write: string;
  /** Whether identifiers must not contain it, in addition to prose. */
  readonly inNames?: boolean;
}

export const AVOIDED_WORDS: readonly AvoidedWord[] = [
  name('tell|tells|telling|told', 'return, report, contain, name, show'),
  name('whoever|whomever', 'the caller, the user, any client'),
  name('anew', 'again'),
  name('lest', 'so that … not'),
  // `refused` in quotes is a state in JSON output, which is permanent.
  name('refuse|refuses|refused|refusing|refusal|refusals', 'reject, rejected, rejection', "(?!['`])"),
  name('mend|mends|mended|mending', 'fix'),
  name('stranger|strangers', 'untrusted, anonymous'),
  // `setPlatformAPI` is a function of ECharts.
  name('platform(?! api)', 'GitHub'),
  // The SQL function is in capital letters.
  { pattern: /\bfloors?\b(?!\()/g, write: 'layer' },
  name('door|doors', 'interface'),

  word('arrows', 'import'),
  word('nobody|anybody|somebody|everybody', 'no caller, any caller, a user', "(?!['/])"),
  word('stands', 'is, precedes, appears'),
  word('beside', 'next to, in addition to'),
  word('alike', 'equally, in the same way'),
  word('aside', 'except'),
  word('wholly', 'completely'),
  word('hence|thus|thereby|therein', 'so, therefore'),
  word('worth', 'useful'),
  word('nought', 'zero'),
  word('likewise', 'also, in the same way'),
  word('reckon|reckons|reckoned', 'calculate, expect'),
  word('outlast|outlasts', 'survive, continue after'),
  word('organisation|organisations', 'organization'),

  word('who has', 'a user with, the owner of'),
  word('is none|are none|was none', 'does not exist, is absent'),
  word('let be|lets be', 'ignore, keep'),
  word('of which', 'whose, with'),
  word('by itself|by themselves', 'without help, automatically'),
  word('what is there|what are there|that is there|that are there', 'existing, stored'),
  word('such as it is', 'unchanged'),
  word('come to|comes to|came to', 'produce, reach'),
  word('without a word', 'without a message, without data'),
  word('put to the test|puts to the test', 'test'),
  word('taken for|takes for|take for', 'treated as'),
  word('give up|gives up|given up|giving up', 'abort, stop'),
  word('left alone|leave alone|leaves alone', 'not called, unchanged'),
  word('in the place of|in place of', 'instead of'),
  word('as long as it takes', 'without a time limit'),
  word('once more', 'again'),
  word('far from', 'not'),
  word('for good', 'permanently'),
  word('made of', 'created from, consists of'),
  word('at hand', 'current'),
  word('now and then', 'periodically'),
  word('and the like|and their like|and its like', 'and similar'),
  word('of its own|of their own|of our own|of your own', 'its own …, a separate …'),
  word('goes on|go on|went on', 'continue'),
  word('what may', 'possible …'),
  word('is to be|are to be|was to be|were to be', 'must, will'),
  word('is cut|are cut|was cut|were cut|be cut', 'truncated, closed'),
  word('in all', 'in total', '(?! [a-z])'),
  word('turn|turns', 'rate limit, mutex, lock', '(?! (?:\\w+ ){0,3}(?:into|off|on)\\b)'),
  word('nor (?:does|do|did|is|are|was|can|may|has|have|will)', 'a sentence of its own with “not”'),
  word('(?<!there )(?:is|are) no(?! longer| more| such)', 'is not a'),
  word('shall', 'must, will'),
  word('so far as', 'if'),
  word('goes away|go away|went away', 'ends, disconnects'),
  word('left out|leave out|leaves out|leaving out', 'omitted, excluded'),
  word('whatever', 'any, independent of'),
  word('all the same', 'still'),
  word('is said|are said|as is said', 'is printed, is stated'),
  word('some (?=\\d)', 'about'),
  word('\\d[\\d,]* an? (?:second|minute|hour|day|core|file|row|page|line|query)', 'per …'),
  word('(?:once|twice|times|requests|queries|changes|lookups) an? (?:second|minute|hour|day|core|file)', 'per …'),
];

/**
 * An entry for words, separated by `|`. The pattern matches any case, and spaces match line breaks. `unless` is a lookahead that excludes
 * allowed uses.
 */
function word(words: string, write: string, unless = ''): AvoidedWord {
  const pattern = `\\b(?:${words})\\b${unless}`.replaceAll(' ', '\\s+');
  return { pattern: new RegExp(pattern, 'gi'), write };
}

/** Like `word`, but identifiers must not contain the words either. */
function name(words: string, write: string, unless = ''): AvoidedWord {
  return { ...word(words, write, unless), inNames: true };
}
