import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder that contains package.json. Compiled files are two folders below it. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export const DEFINITIONS_FOLDER = `${PACKAGE_ROOT}endpoints`;

export const PAGES_FOLDER = `${PACKAGE_ROOT}pages`;

/** The folder of the built console. */
export const CONSOLE_FOLDER = `${PACKAGE_ROOT}dist/web`;

const { name, version, description } = JSON.parse(readFileSync(`${PACKAGE_ROOT}package.json`, 'utf8')) as {
  name: string;
  version: string;
  description: string;
};

export const SERVICE = { name, version, description } as const;
