import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The path of every document, relative to the root of the repository. */
export const DOCUMENTS: readonly string[] = [ROOT, `${ROOT}docs/`].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}${file}`.slice(ROOT.length)),
);

export function readDocument(path: string): string {
  return readFileSync(ROOT + path, 'utf8');
}

/** Returns the document without its code blocks. */
export function proseOf(path: string): string {
  return readDocument(path).replace(/^ *```[\s\S]*?^ *```/gm, '');
}

/** Returns the texts between backticks, except in code blocks. */
export function codeSpansIn(path: string): string[] {
  return [...proseOf(path).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}
