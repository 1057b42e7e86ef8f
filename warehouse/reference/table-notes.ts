import type { TableReference } from './table-reference-entry.js';

/** A fact about a table for readers: its kind, and one sentence. */
export type TableNote = readonly [kind: 'rows' | 'events' | 'since' | 'freshness' | 'limit', text: string];

/** Returns the known facts about a table, in the order in which the documentation, the commands and the prompts show them. */
export function tableNotes({ grain, events, since, freshness, where }: TableReference): TableNote[] {
  const notes: [TableNote[0], string | undefined][] = [
    ['rows', grain && `One row per ${grain}.`],
    ['events', events && listEvents(events)],
    ['since', since],
    ['freshness', freshness],
    ['limit', where && `Only rows with ${writeCode(where)} can be read.`],
  ];
  return notes.flatMap(([kind, text]) => (text === undefined ? [] : [[kind, text]]));
}

function listEvents(events: readonly string[]): string {
  if (events.length === 0) return 'None.';
  if (events.includes('*')) return 'Every type of event.';
  return `${events.map((type) => `\`${type}\``).join(', ')}.`;
}

/** Writes a Markdown code span. The text can contain backticks. */
function writeCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
