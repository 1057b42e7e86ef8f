/** The name of the organisation that a text of a profile names, `UNKNOWN` where it names none: word by word, without patterns of SQL. */
export function organizationOf(text: string): string {
  const name = withoutEnd(withoutAddress(firstAccount(spaced(text).toLowerCase())));
  const isName = /[\p{L}\p{N}]/u.test(name);
  return !isName || NO_ORGANIZATIONS.has(name) ? 'UNKNOWN' : [...name].slice(0, 255).join('');
}

/** Those that occur in worlds. */
const NO_ORGANIZATIONS: ReadonlySet<string> = new Set(
  'n/a,none,freelance,freelancer,self-employed,student,home,germany,co,inc,ltd,llc,gmbh'.split(','),
);

function spaced(text: string): string {
  return text
    .split(/[\s\u200b]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

/** `@acme and @beta` is `acme`; `@acme labs` is one name. */
function firstAccount(text: string): string {
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

function withoutAddress(text: string): string {
  const [address = '', ...rest] = text.split(' ');
  const scheme = /^[a-z]+:\/\//.exec(address)?.[0] ?? '';
  const www = address.slice(scheme.length).startsWith('www.') ? 'www.' : '';
  const [host = '', ...path] = address.slice(scheme.length + www.length).split(/[/?#]/);
  if (host === 'github.com' && path[0]) return [path[0].replace(/^@/, ''), ...rest].join(' ');
  if (host === '' || (scheme === '' && www === '')) return text;
  return [host, ...rest].join(' ');
}

/** Takes one thing at a time from the end. */
function withoutEnd(text: string): string {
  for (const shorter of [withoutSign(text), withoutCom(text), withoutForm(text)]) {
    if (shorter !== text) return withoutEnd(shorter);
  }
  return text;
}

function withoutSign(text: string): string {
  const last = [...text].at(-1) ?? '';
  const isSign = /\p{P}|[ |®™©]/u.test(last) && !/["')\]}\p{Pi}\p{Pf}\p{Pe}]/u.test(last);
  return isSign ? text.slice(0, -last.length) : text;
}

function withoutCom(text: string): string {
  return text.endsWith('.com') ? text.slice(0, -4) : text;
}

const FORMS: ReadonlySet<string> = new Set(['inc', 'llc', 'ltd', 'co', 'sa', 'gmbh', 'kg', 'corp']);

function withoutForm(text: string): string {
  const start = Math.max(text.lastIndexOf(' '), text.lastIndexOf(','));
  const word = text.slice(start + 1).replace(/(?<=s)\.(?=a)/, '');
  if (start >= 0 && FORMS.has(word)) return text.slice(0, start).replace(/ (?:and|&)$/, word === 'co' ? '' : '$&');
  return text.replace(/[-_.](?:inc|llc|ltd|gmbh|corp)$/, '');
}
