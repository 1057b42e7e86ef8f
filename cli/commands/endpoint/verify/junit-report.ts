import { relative } from 'node:path';
import type { Check, Verification } from '../../../../engine/authoring/index.js';
import { describeFailure } from './print-verification.js';

/**
 * Writes the checks of endpoints as JUnit XML: one test suite per endpoint, one test case per check. File names are written relative to
 * `cwd`.
 */
export function writeJunit(verifications: readonly Verification[], cwd: string): string {
  const suites = verifications.map((verification) => writeSuite(verification, cwd));
  const all = verifications.flatMap(({ checks }) => checks);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'endpoint test', ...totals(all) }, suites)}\n`;
}

function writeSuite({ name, file, checks }: Verification, cwd: string): string {
  const cases = checks.map((check) => writeCase(name, check, cwd));
  return element('testsuite', { name, file: relative(cwd, file), ...totals(checks) }, cases);
}

function writeCase(endpoint: string, check: Check, cwd: string): string {
  const { kind, name, ok, ms, place, differences = [] } = check;
  const attributes = {
    classname: endpoint,
    name: `${kind} ${name}`,
    time: seconds(ms),
    ...(place !== undefined && { file: relative(cwd, place.file), line: String(place.line) }),
  };
  if (ok) return element('testcase', attributes, []);
  const message = describeFailure(check);
  const at = place === undefined ? [] : [`${relative(cwd, place.file)}:${place.line}:${place.column}`];
  const rows = differences.map(({ at: row, one, other }) => `${row}: expected ${one}, got ${other}`);
  const failure = `<failure message="${escapeXml(message)}">${escapeXml([...at, ...rows].join('\n'))}</failure>`;
  return element('testcase', attributes, [failure]);
}

function totals(checks: readonly Check[]): Readonly<Record<string, string>> {
  return {
    tests: String(checks.length),
    failures: String(checks.filter(({ ok }) => !ok).length),
    errors: '0',
    time: seconds(checks.reduce((sum, { ms }) => sum + ms, 0)),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function element(name: string, attributes: Readonly<Record<string, string>>, children: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const start = `<${name}${written.join('')}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join('\n')}\n</${name}>`;
}

/** Escapes text for elements and attributes. Most control characters are invalid in XML 1.0, so they become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replaceAll(NOT_XML, '\ufffd')
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what XML forbids.
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu;
