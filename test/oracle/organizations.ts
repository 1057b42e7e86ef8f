/** Returns the organization in a profile text, or `UNKNOWN`. The rule is implemented independently of the SQL patterns of the service. */
export function organizationOf(text: string): string {
  const name = removeEnding(removeUrl(selectFirstAccount(collapseSpaces(text).toLowerCase())));
  const isName = /[\p{L}\p{N}]/u.test(name);
  return !isName || NON_ORGANIZATIONS.has(name) ? 'UNKNOWN' : [...name].slice(0, 255).join('');
}

/** Normalized texts in the worlds that are not organizations. */
const NON_ORGANIZATIONS: ReadonlySet<string> = new Set(
  'n/a,none,freelance,freelancer,self-employed,student,home,germany,co,inc,ltd,llc,gmbh'.split(','),
);

function collapseSpaces(text: string): string {
  return text
    .split(/[\s\u200b]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

/** Returns the first account in a list of accounts: `acme` for `@acme and @beta`. `@acme labs` is not a list but one name. */
function selectFirstAccount(text: string): string {
  const signs = [...text.matchAll(/@(?=[\p{L}\p{N}_])/gu)].map(({ index }) => index);
  const [first, second] = signs;
  const isInWord = first === undefined || /[\p{L}\p{N}_.@]$/u.test(text.slice(0, first));
  const isFirstSign = first !== undefined && !text.slice(0, first).includes('@');
  if (second !== undefined && first !== undefined && !isInWord && isFirstSign) {
    return /^[\p{L}\p{N}_.-]+/u.exec(text.slice(first + 1))?.[0] ?? '';
  }
  let start = 0;
  while (text[start] === '@' || text[start] === ' ') start++;
  return text.slice(start);
}

function removeUrl(text: string): string {
  const [address = '', ...rest] = text.split(' ');
  const scheme = /^[a-z]+:\/\//.exec(address)?.[0] ?? '';
  const www = address.slice(scheme.length).startsWith('www.') ? 'www.' : '';
  const [host = '', ...path] = address.slice(scheme.length + www.length).split(/[/?#]/);
  if (host === 'github.com' && path[0]) return [path[0].replace(/^@/, ''), ...rest].join(' ');
  if (host === '' || (scheme === '' && www === '')) return text;
  return [host, ...rest].join(' ');
}

/** Removes punctuation, `.com` and legal forms from the end, repeatedly, until none is left. */
function removeEnding(text: string): string {
  for (const shorter of [removePunctuation(text), removeCom(text), removeLegalForm(text)]) {
    if (shorter !== text) return removeEnding(shorter);
  }
  return text;
}

function removePunctuation(text: string): string {
  const last = [...text].at(-1) ?? '';
  const isSign = /\p{P}|[ |®™©]/u.test(last) && !/["')\]}\p{Pi}\p{Pf}\p{Pe}]/u.test(last);
  return isSign ? text.slice(0, -last.length) : text;
}

function removeCom(text: string): string {
  return text.endsWith('.com') ? text.slice(0, -4) : text;
}

const LEGAL_FORMS: ReadonlySet<string> = new Set(['inc', 'llc', 'ltd', 'co', 'sa', 'gmbh', 'kg', 'corp']);

function removeLegalForm(text: string): string {
  const start = Math.max(text.lastIndexOf(' '), text.lastIndexOf(','));
  const word = text.slice(start + 1).replace(/(?<=s)\.(?=a)/, '');
  if (start >= 0 && LEGAL_FORMS.has(word))
    return text.slice(0, start).replace(/ (?:and|&)$/, word === 'co' ? '' : '$&');
  return text.replace(/[-_.](?:inc|llc|ltd|gmbh|corp)$/, '');
}
