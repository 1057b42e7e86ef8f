import type { ParameterDefinition } from '../../../definitions/definition.js';
import type { DescribedOperation } from '../description.js';

/**
 * Returns the description of a parameter, with rules for which JSON Schema has no keyword: the order of two parameters,
 * and that a text must not contain U+0000, which patterns usually do not exclude.
 */
export function describeRules(name: string, parameters: DescribedOperation['parameters']): string {
  const parameter = parameters[name];
  if (parameter === undefined) return '';
  const { description, notAfter } = parameter;
  const starts = Object.keys(parameters).filter((other) => parameters[other]?.notAfter === name);
  return [
    description,
    hasCharacterRule(parameter) ? CHARACTER_RULE : '',
    notAfter === undefined ? '' : ` Must not be after \`${notAfter}\`${OR_DEFAULT}`,
    ...starts.map((start) => ` Must not be before \`${start}\`${OR_DEFAULT}`),
  ].join('');
}

/** Parses a text that `describeRules` wrote. */
export function readRules(text: string): Pick<ParameterDefinition, 'description' | 'notAfter'> {
  const notAfter = ORDER_RULE.exec(text)?.[1];
  const written = text.replace(ORDER_RULE, '').replace(START_RULES, '').replace(CHARACTER_RULE, '');
  const sample = written.indexOf(SAMPLE);
  const description = sample >= 0 && written.endsWith('.') ? written.slice(0, sample) : written;
  return { description, ...(notAfter !== undefined && { notAfter }) };
}

function hasCharacterRule({ pattern, items }: ParameterDefinition): boolean {
  const text = pattern ?? items?.pattern;
  return text !== undefined && !text.includes('\\x00');
}

const CHARACTER_RULE = ' Must not contain the character U+0000.';
/** The start of the rule with a sample of allowed values from a query. The sample depends on the data. */
const SAMPLE = ' Must be one of ';
const OR_DEFAULT = ' or, if that is omitted, its default.';
const ORDER_RULE = / Must not be after `(\w+)` or, if that is omitted, its default\./;
const START_RULES = / Must not be before `\w+` or, if that is omitted, its default\./g;
