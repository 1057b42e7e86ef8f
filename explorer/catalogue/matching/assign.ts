import type { ParameterDefinition } from '../../../engine/index.js';
import { DAYS } from '../reading/days.js';
import type { Duration, Slot } from '../reading/slot.js';
import type { CatalogueEntry } from './catalogue-index.js';

type Values = Readonly<Record<string, string>>;

/** The parameters of a definition that the slots of a question set. */
export interface Assignment {
  readonly values: Values;
  /** The slots that the definition uses. */
  readonly used: readonly Slot[];
  /**
   * Slots that change the answer but set no parameter: a second value for the same parameter, such as `Go` in `Rust and Go`, and times, whose
   * words can have another meaning, such as `in May`.
   */
  readonly ignored: readonly Slot[];
  /** A number of rows in the question that the definition cannot apply, because it has no paging. */
  readonly rows: number | undefined;
}

/**
 * Assigns slots to the parameters of a definition. A slot that sets no parameter, or contradicts an earlier slot, is not used. With an
 * unused slot, the definition only answers the question if the words of the slot have another meaning.
 */
export function assignSlots(entry: CatalogueEntry, slots: readonly Slot[]): Assignment {
  let values: Values = {};
  let rows: number | undefined;
  const used: Slot[] = [];
  const ignored: Slot[] = [];
  const compared = comparedRepositories(slots, entry);
  if (compared !== undefined) {
    values = compared.values;
    used.push(...compared.used);
  }
  for (const slot of slots) {
    if (used.some((other) => overlap(other, slot))) continue;
    const set = valuesOf(slot, entry);
    if (set === undefined && slot.kind === 'number' && rows === undefined && !hasPages(entry)) {
      rows = slot.value;
      used.push(slot);
      continue;
    }
    const isContradiction = Object.entries(set ?? {}).some(([name, value]) => (values[name] ?? value) !== value);
    if ((isContradiction && slot.kind === 'value') || ((isContradiction || set === undefined) && slot.kind === 'range'))
      ignored.push(slot);
    if (set === undefined || isContradiction) continue;
    values = { ...values, ...set };
    used.push(slot);
  }
  return { values, used, ignored: ignored.filter((slot) => !used.some((one) => overlap(one, slot))), rows };
}

/** Returns all repositories of a question as the value of one parameter. Undefined if the definition accepts no list, or not so many. */
function comparedRepositories(slots: readonly Slot[], { entities, parameters }: CatalogueEntry) {
  const [list] = entities.repositories ?? [];
  if (list === undefined) return undefined;
  const used = slots.filter((slot) => slot.kind === 'repository');
  const names = [...new Set(used.map(({ owner, name }) => `${owner}/${name}`))];
  const { minItems = 1, maxItems = names.length } = parameters[list] ?? {};
  return names.length < minItems || names.length > maxItems ? undefined : { used, values: { [list]: names.join(',') } };
}

function overlap(one: Slot, other: Slot): boolean {
  return one.start < other.end && other.start < one.end;
}

export function hasPages({ parameters }: CatalogueEntry): boolean {
  return Object.hasOwn(parameters, 'page_size');
}

/** Returns the values of parameters that a slot sets. Undefined if the definition has no matching parameter. */
function valuesOf(slot: Slot, entry: CatalogueEntry): Values | undefined {
  switch (slot.kind) {
    case 'repository': {
      const [owner, name] = entry.entities.repository ?? [];
      return owner === undefined || name === undefined ? undefined : { [owner]: slot.owner, [name]: slot.name };
    }
    case 'collection': {
      const [id] = entry.entities.collection ?? [];
      return id === undefined ? undefined : { [id]: String(slot.id) };
    }
    case 'account': {
      const [login] = entry.entities.account ?? [];
      return login === undefined ? undefined : { [login]: slot.login };
    }
    case 'number':
      return numberValue(['page_size', 'top'], slot.value, entry);
    case 'range':
      return rangeValues(slot, entry);
    case 'interval':
      return (
        enumValue(entry, (value) => value === slot.unit) ??
        rangeValues({ ...slot, kind: 'range', duration: { count: 1, unit: slot.unit } }, entry)
      );
    case 'order':
      return orderValue(slot.values, entry);
    case 'value':
      return Object.hasOwn(entry.parameters, slot.parameter) ? { [slot.parameter]: slot.value } : undefined;
    case 'switch': {
      const name = `exclude_${slot.rows}`;
      return entry.parameters[name]?.type === 'boolean' ? { [name]: String(slot.isExcluded) } : undefined;
    }
  }
}

/** A range sets either two date parameters, or an enum whose values are durations. */
function rangeValues(
  { range, duration }: Slot & { readonly kind: 'range' },
  entry: CatalogueEntry,
): Values | undefined {
  const [from, { notAfter: to = '' } = {}] =
    Object.entries(entry.parameters).find(([, { format, notAfter }]) => format === 'date' && notAfter !== undefined) ??
    [];
  if (from !== undefined) {
    if (range === undefined) return undefined;
    return {
      ...(range.from !== undefined && { [from]: range.from }),
      ...(range.to !== undefined && { [to]: range.to }),
    };
  }
  if (duration === undefined) return undefined;
  const months = monthsOf(duration);
  const number =
    numberValue([`${duration.unit}s`], duration.count, entry) ??
    (months === undefined ? undefined : numberValue(['months'], months, entry));
  if (number !== undefined) return number;
  return enumValue(entry, (value, parameter) => isSameDuration(readDuration(value), duration, parameter.description));
}

/** Sets the first of these parameters that a definition has, such as `months` for `12 months`. */
function numberValue(names: readonly string[], value: number, { parameters }: CatalogueEntry): Values | undefined {
  const name = names.find((one) => parameters[one]?.type === 'integer');
  const { minimum = 1, maximum = 0 } = (name && parameters[name]) || {};
  return name === undefined || value < minimum || value > maximum ? undefined : { [name]: String(value) };
}

function enumValue(
  { parameters }: CatalogueEntry,
  isMeant: (value: string, parameter: ParameterDefinition) => boolean,
): Values | undefined {
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = parameter.enum?.map(String).find((one) => isMeant(one, parameter));
    if (value !== undefined) return { [name]: value };
  }
  return undefined;
}

/** An enum is only an order if it has several orders, such as `login` and `login-desc`. */
function orderValue(values: RegExp, entry: CatalogueEntry): Values | undefined {
  return enumValue(
    entry,
    (value, parameter) => parameter.enum?.some((one) => String(one).endsWith('-desc')) === true && values.test(value),
  );
}

/** Parses a duration such as `past_3_months`. */
function readDuration(value: string): Duration | undefined {
  const [, count = '1', unit] = /^(?:past|last)_(?:(\d{1,4})_)?(hour|day|week|month|quarter|year)s?$/.exec(value) ?? [];
  return unit === undefined ? undefined : { count: Number(count), unit: unit as Duration['unit'] };
}

/**
 * Durations with a fixed length are compared by their days. A month is 30 days only if the description of the parameter
 * says so.
 */
function isSameDuration(known: Duration | undefined, { count, unit }: Duration, description: string): boolean {
  if (known === undefined) return false;
  const [knownMonths, months] = [monthsOf(known), monthsOf({ count, unit })];
  if (knownMonths !== undefined && months !== undefined) return knownMonths === months;
  const [knownDays, days] = [known.count * (DAYS[known.unit] ?? 0), count * (DAYS[unit] ?? 0)];
  if (knownMonths === undefined && months === undefined) return knownDays === days;
  return knownMonths !== undefined && days > 0 && days === knownMonths * 30 && description.includes(`${days} days`);
}

function monthsOf({ count, unit }: Duration): number | undefined {
  const months = { month: 1, quarter: 3, year: 12 }[unit as string];
  return months === undefined ? undefined : months * count;
}
