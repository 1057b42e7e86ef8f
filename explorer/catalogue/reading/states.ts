import type { Lexicon } from '../language/lexicon.js';
import { STATE_WORDS } from '../language/vocabulary.js';

/**
 * Marks words that describe a state and not an action: `open` in `open issues of …`, but not in `people who open issues`. A
 * marked word has no meaning, so no definition about the action answers the question.
 */
export function markStates(words: readonly string[], lexicon: Lexicon): string[] {
  const conceptsAt = (index: number) => lexicon.explain(words.slice(index, index + 2)).at(0)?.concepts ?? [];
  return words.map((word, index) => {
    const isState =
      STATE_WORDS.words.has(word) &&
      conceptsAt(index + 1).some((concept) => STATE_WORDS.things.has(concept)) &&
      !conceptsAt(index - 1).some((concept) => STATE_WORDS.actors.has(concept)) &&
      !STATE_WORDS.before.has(words[index - 1] ?? '');
    return isState ? `${word} (state)` : word;
  });
}
