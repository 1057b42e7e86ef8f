/**
 * Removes introductions and endings that are not part of a question, such as `My manager wants to know …`. The words of a preamble are in
 * no definition, so the question would not match. Only known phrases are removed, because other words can be conditions.
 */
export function withoutPreamble(question: string, isOfDomain: (word: string) => boolean = () => true): string {
  let text = withoutReason(withoutPersonalClause(question, isOfDomain), isOfDomain);
  for (let round = 0; round < MAX_PHRASES; round += 1) {
    const before = text;
    for (const phrase of BEFORE) text = text.replace(phrase, '');
    for (const phrase of AFTER) text = text.replace(phrase, '');
    if (text === before) break;
  }
  return text;
}

/**
 * Removes a first clause about the user, such as `I am a student in my last year, …`. A clause with a name, a number or a word of the
 * domain (`isOfDomain`) is kept, because it can be a condition.
 */
function withoutPersonalClause(question: string, isOfDomain: (word: string) => boolean): string {
  const [clause = ''] = PERSONAL_CLAUSE.exec(question) ?? [];
  const words = clause.split(/[^\p{L}\p{N}'’@/._-]+/u).filter((word) => word !== '');
  const isPersonal = words.every(
    (word, index) =>
      (index === 0 || word === 'I' || /^\p{Ll}[\p{Ll}'’]*[.]?$/u.test(word)) && !isOfDomain(word.toLowerCase()),
  );
  return clause.length < question.length && isPersonal ? question.slice(clause.length) : question;
}

/** Removes a last clause that says why the user asks, such as `? Just trying to verify a claim`. It is kept under the same conditions. */
function withoutReason(question: string, isOfDomain: (word: string) => boolean): string {
  const found = REASON.exec(question);
  if (found === null || found.index === 0) return question;
  const words = found[0].split(/[^\p{L}\p{N}'’@/._-]+/u).filter((word) => word !== '');
  const isPersonal = words.every(
    (word, index) =>
      (index === 0 || word === 'I' || /^\p{Ll}[\p{Ll}'’]*[.]?$/u.test(word)) && !isOfDomain(word.toLowerCase()),
  );
  return isPersonal ? question.slice(0, found.index) : question;
}

/** A clause after a question mark or a similar character. Its limited length makes matching take linear time. */
const REASON =
  /[?!;]\s{0,3}(?:just |only )?(?:trying|planning|asking|curious|wondering|preparing|writing|working|doing|because|i|i['’]m|we|we['’]re|my|our|need|needed)\s[^?!;]{0,120}$/iu;

/** A clause of the first person, up to its comma, colon, dash or end. Its limited length makes matching take linear time. */
const PERSONAL_CLAUSE =
  /^\s*(?:i|i['’]m|i['’]ve|we|we['’]re|my|our|as an?|for (?:my|our|an?)|being an?)\s[^,.:;!?–—]{2,120}(?:[,.:;!–—]|\s-\s)/iu;

const MAX_PHRASES = 4;
const ASKING =
  "(?:i|we)(?: really| just| urgently| also)?(?: need| want| would like|['’]d like| have| must| should)(?: to (?:know|see|find out|find|get|learn|understand|show|list|have))?";
const MAKING = '(?:preparing|writing|making|building|giving|creating|drafting|doing|working on|planning)';
/** Up to three words. The length of each word is limited, so that matching takes linear time. */
const THING = '\\S{1,30}(?: (?!about\\b|on\\b|for\\b|and\\b|so\\b|i\\b|we\\b)\\S{1,30}){0,2}';

/** Patterns that are removed from the start of a question. */
const BEFORE: readonly RegExp[] = [
  `good (?:morning|afternoon|evening|day)(?: (?:all|everyone|team|there))?\\b`,
  `(?:hi|hello|hey|dear)(?: (?:there|all|team|bot|assistant|friends?))?\\s*[,!.:]`,
  `(?:my|our) \\S{1,30}(?: \\S{1,30})? (?:wants?|needs?|would like|asked|asks|is asking|keeps asking|wonders)(?: (?:me|us))?(?: (?:to know|to see|to understand|to find out|for|about))?\\b`,
  `for (?:a|an|my|our|the) ${THING},? ${ASKING}\\b`,
  `(?:i am|i['’]m|im|we are|we['’]re) ${MAKING} (?:a |an |my |our |the |some )?${THING} (?:about|on|for|regarding)\\b`,
  `(?:i am|i['’]m|im|we are|we['’]re) ${MAKING} (?:a |an |my |our |the |some )?${THING}(?=,|\\.| and| so)`,
  `(?:i am|i['’]m|im|we are|we['’]re) (?:new here|just curious|curious|wondering|trying to (?:find out|see|understand|learn|figure out|find))\\b`,
  `i (?:have|['’]ve got) no (?:idea|clue)(?: where to (?:start|begin|look))?\\b`,
  `i (?:do not|don['’]t) know(?: where to (?:start|begin|look))?\\b`,
  `(?:would|do) you mind (?:showing|telling|giving|listing|sharing)(?: (?:me|us))?\\b`,
  `(?:do|would|might) you (?:happen to )?(?:know|have)\\b`,
  `is (?:there|it possible)(?: (?:a way|any way))? to (?:see|know|get|list|find|show|find out)\\b`,
  `is there (?:a|an|any|some) (?:list|index|overview|directory|table|chart) (?:of|with)\\b`,
  `(?:just )?out of (?:pure |sheer )?(?:curiosity|interest)\\b`,
  `(?:(?:quick|short|simple|one) question|(?:quick|short) one)\\b`,
  `(?:and|so|well|okay|ok|now|also|then|because|but)\\b`,
  `${ASKING}\\b`,
  `(?:i am|i['’]m|im|we are|we['’]re) (?:looking for|searching for|interested in|after)\\b`,
].map((pattern) => new RegExp(`^[\\s,.!:;-]*${pattern}`, 'iu'));

/** Patterns that are removed from the end of a question. */
const AFTER: readonly RegExp[] = [
  'thanks?(?: (?:you|a lot|so much|in advance|very much|again))*',
  'thank you(?: (?:a lot|so much|in advance|very much|again))*',
  '(?:if|when) (?:possible|you can|you please|you know)',
  'by any chance',
  '(?:for|in) (?:my|our|a|the) (?:report|talk|presentation|article|blog|blog post|slides?|newsletter|thesis|dashboard|boss|manager|team)',
  '(?:cheers|regards|kind regards|best regards)',
].map((pattern) => new RegExp(`[\\s,.!?:;-]+${pattern}[\\s.!?]*$`, 'iu'));
