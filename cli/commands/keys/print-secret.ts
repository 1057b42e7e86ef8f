import type { ApiKey } from '../../../accounts/keys/api-key.js';
import type { CommandContext } from '../../terminal/command-context.js';

interface NewSecret {
  readonly key: ApiKey;
  readonly secret: string;
  /** More members for JSON. */
  readonly members?: object;
  readonly json: boolean;
  readonly notes: readonly string[];
}

/** Prints a new secret. Only the secret is on the standard output, so that a script can store it. */
export function printSecret({ output, settings }: CommandContext, result: NewSecret): void {
  const { key, secret, members, json, notes } = result;
  const { id, name, ...others } = key;
  if (json) output.json({ id, name, secret, ...others, ...members });
  else output.print(secret);
  for (const note of notes) output.note(note);
  const base = settings.publicUrl ?? `http://${settings.host}:${settings.port}`;
  const endpoint = key.scopes.find((scope) => /^[a-z]/.test(scope) && !scope.startsWith('tag:')) ?? '{name}';
  output.note('Store the secret now: it is not shown again. Send it in the header X-API-Key:');
  output.note(`  curl -H 'X-API-Key: rik_${id}_…' '${base}/q/${endpoint}'`);
}
