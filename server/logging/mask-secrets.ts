/**
 * Masks secrets in the target of a request for the log. Replaces by `…`: values of parameters with secret names,
 * passwords, and all text that looks like a token. Percent-encoded secrets are also replaced.
 */
export function maskTarget(target: string): string {
  const start = target.indexOf('?');
  if (!NEEDS_DECODING.test(target) && !MAYBE_TOKEN.test(target)) {
    const equals = target.indexOf('=');
    if (equals < 0) return target;
    if (start >= 0 && start < equals) {
      const pairs = target.slice(start + 1).split('&');
      return `${target.slice(0, start)}?${pairs.map(maskPlainPair).join('&')}`;
    }
  }
  if (start < 0) return maskPath(target);
  const pairs = target.slice(start + 1).split('&');
  return `${maskPath(target.slice(0, start))}?${pairs.map(maskPair).join('&')}`;
}

/** Like `maskTarget`, and also masks the code of a sign-in, and the token that ends the digests of a user. */
export function maskUrl(target: string): string {
  return maskTarget(target.replace(SIGN_IN_CODE, '$1…').replace(UNSUBSCRIBE_TOKEN, '$1…'));
}

/** Matches the URL to which the identity provider redirects a browser after a sign-in. The query of the URL contains a secret code. */
const SIGN_IN_CODE = /(\/sign-in\/callback\/?\?).*/;
const UNSUBSCRIBE_TOKEN = /(\/unsubscribe\/)[^/?]+/;

/** Masks secrets in any text for the log, like `maskTarget`, but without decoding percent-encoding. */
export function maskText(text: string): string {
  let masked = MAYBE_TOKEN.test(text) ? text.replace(TOKEN, MASK) : text;
  if (masked.includes('@')) masked = masked.replace(USERINFO, `$1${MASK}@`);
  return masked.includes('=') ? masked.replace(PAIR, maskTextPair) : masked;
}

const MASK = '…';
/**
 * Matches JSON Web Tokens, secrets of API keys, tokens of GitHub, Slack and AWS, keys of language models, and the word after Bearer. The
 * lookarounds keep the time linear in the length of the text: each sequence of letters is searched only once, and only if it can contain a
 * token.
 */
const TOKEN =
  /(?<![\w-])(?=[\w-]{8,}\.[\w-]{5})[\w-]*?eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)*|rik_[\da-f]{8}_[\w-]+|gh[a-z]_\w{20,}|xox[a-z]-[\w-]{10,}|AKIA[A-Z\d]{16}|(?<![\w-])sk-[\w-]{32,}|github_pat_\w{20,}|(?<=bearer\s)[^\s"'\\,;&]+/gi;
/** Matches every text that `TOKEN` matches, in much less time. */
const MAYBE_TOKEN = /eyj|rik_|gh[a-z]_|xox|akia|sk-|github_pat_|bearer\s/i;
/** The characters of targets that may be encoded or contain a password. */
const NEEDS_DECODING = /[%+@]/;
const USERINFO = /(\b[a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#"'\\]*@/gi;
const PAIR = /(?<![\w%.[\]-])([\w%.[\]-]{1,100})=[^\s&"'\\,;)}]+/g;
/**
 * Matches names of secret parameters. The first group of words matches anywhere in a name, the second group at the end of a name, and the
 * third group only as the whole name. For example, `country_code` is not secret.
 */
const SECRET_NAME =
  /token|secret|passw|passphrase|credential|session|verifier|samlre|signature|authoriz|apikey|bearer|jwt|cookie|assertion|(?:key|auth|sig|sid|pwd|pass|otp|pin|nonce|ticket)$|^(?:(?:auth|device|user|verification)?code|state)$/;
/** Maximum depth of nested percent-encoding that is decoded. */
const MAX_ROUNDS = 3;

function maskPath(path: string): string {
  return maskText(path)
    .split('/')
    .map((segment) => (hasSecret(decode(segment)) ? MASK : segment))
    .join('/');
}

function maskPair(pair: string): string {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  const maskedName = hasSecret(decode(name)) ? MASK : name;
  if (equals < 0) return maskedName;
  const value = pair.slice(equals + 1);
  const isSecret = value !== '' && (isSecretName(decode(name)) || hasSecret(decode(value)));
  return `${maskedName}=${isSecret ? MASK : value}`;
}

function maskTextPair(pair: string, name: string): string {
  return isSecretName(name) ? `${name}=${MASK}` : pair;
}

/** Masks a parameter without a token, a percent-encoded character or a password. The value of a pair can contain further pairs. */
function maskPlainPair(pair: string): string {
  const equals = pair.indexOf('=');
  if (equals < 0 || equals === pair.length - 1) return pair;
  if (pair.includes('=', equals + 1)) return maskPair(pair);
  return isSecretName(pair.slice(0, equals)) ? `${pair.slice(0, equals)}=${MASK}` : pair;
}

/** A cache of results by parameter name. Most requests have the same few names. */
const knownNames = new Map<string, boolean>();
const MAX_KNOWN_NAMES = 1_000;
const MAX_KNOWN_LENGTH = 100;

function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAME.test(name.toLowerCase().replace(/[^a-z\d]/g, ''));
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
  // A substring refers to the whole text in memory, so the name is copied.
  if (name.length <= MAX_KNOWN_LENGTH) knownNames.set(Buffer.from(name).toString(), isSecret);
  return isSecret;
}

function hasSecret(text: string): boolean {
  return maskText(text) !== text;
}

/** Decodes percent-encoding. Unlike `decodeURIComponent`, it keeps invalid parts unchanged instead of failing. */
function decode(text: string): string {
  let decoded = text.replaceAll('+', ' ');
  for (let round = 0; round < MAX_ROUNDS && decoded.includes('%'); round += 1) {
    decoded = decoded.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return decoded;
}
