import { parseKey, parseModelUrl } from './forms.js';
import { number, optionalText, secret } from './setting.js';

/** The settings of the explorer and of its language model. */
export const EXPLORER_SETTINGS = {
  modelUrl: optionalText({
    name: 'MODEL_URL',
    form: '<url>',
    parse: parseModelUrl,
    help: 'Base URL of an OpenAI-compatible server with a language model, such as `http://127.0.0.1:11434/v1`. Unset: the explorer answers only questions for which a definition exists.',
    when: 'a language model writes SQL for questions for which no definition exists',
  }),
  modelName: optionalText({
    name: 'MODEL_NAME',
    form: '<text>',
    help: 'Name of the language model at MODEL_URL. Required with MODEL_URL.',
    when: 'you set MODEL_URL',
  }),
  modelKey: secret({
    name: 'MODEL_KEY',
    parse: parseKey,
    help: 'API key for MODEL_URL. Unset: requests have no credential.',
    when: 'the server with the language model requires a key',
  }),
  modelTimeoutSeconds: number({
    name: 'MODEL_TIMEOUT_SECONDS',
    default: 60,
    least: 1,
    most: 3600,
    help: 'Time limit for an answer of the language model, including retries.',
    when: 'a local model is slow',
  }),
  modelTokensPerDay: number({
    name: 'MODEL_TOKENS_PER_DAY',
    default: 2_000_000,
    least: 0,
    most: 1_000_000_000_000,
    help: 'Maximum number of tokens of the language model for all questions of a UTC day. 0: no limit.',
    when: 'the language model is more expensive, or free',
  }),
  explorerKeepDays: number({
    name: 'EXPLORER_KEEP_DAYS',
    default: 30,
    least: 0,
    most: 36_500,
    help: 'Questions and their results are deleted after this many days. 0: questions are never deleted.',
    when: 'your rules require another retention time',
  }),
} as const;
