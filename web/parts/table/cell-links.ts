import { cellOf } from '../../../engine/charts/result-column.js';
import type { Row } from '../../api/rows.js';
import { collectionPath, personPath, repositoryPath } from '../links/entity-links.js';
import type { TableField } from './table-field.js';

/** A part of a cell. A cell with a list of logins has one part per login. */
export interface CellPart {
  readonly text: string;
  /** The path of the page to which the part links. */
  readonly path?: string;
}

/** The ids of collections by name. */
export type CollectionIds = ReadonlyMap<string, number | string>;

/** A function that splits a cell of a column into parts with links. */
export type CellLinks = (value: string | number, row: Row) => readonly CellPart[];

/** Whether the list of collections is needed to link the cells of a result. */
export function needsCollections(fields: readonly TableField[]): boolean {
  const names = new Set(fields.map(({ name }) => name));
  return names.has('collection_names') || (names.has('id') && names.has('name'));
}

/** Returns the function that links the cells of a column, depending on its name. Values in another form get no link. */
export function linksOf(name: string, collections: CollectionIds): CellLinks | undefined {
  if (REPO_COLUMN.test(name)) return (value) => [linkIf(REPO, value, repositoryPath)];
  if (LOGIN_COLUMN.test(name)) return (value) => [linkIf(LOGIN, value, personPath)];
  if (LOGINS_COLUMN.test(name)) return (value) => split(value, (login) => linkIf(LOGIN, login, personPath));
  if (name === 'collection_id') return (value) => [{ text: String(value), path: collectionPath(value) }];
  if (name === 'collection_name') return (value, row) => [{ text: String(value), ...collectionOf(row) }];
  if (name === 'collection_names') return (value) => split(value, (text) => linkCollection(text, collections));
  if (name === 'name') return (value, row) => [linkNamed(String(value), row, collections)];
  return undefined;
}

const REPO_COLUMN = /^(repo_name|repository|repository_name|full_name|repo)$/i;
const REPO = /^[\w.-]{1,100}\/[\w.-]{1,140}$/;
/** Columns with logins of people. Owners and organizations are excluded, because they may not be people. */
const LOGIN_COLUMN = /^((user|actor|author|creator|creator_user|contributor)_)?login$/i;
const LOGINS_COLUMN = /^((user|actor|author|creator|contributor)_)?logins$/i;
const LOGIN = /^[A-Za-z0-9][\w-]{0,99}(\[bot\])?$/;

function linkIf(pattern: RegExp, value: string | number, pathOf: (text: string) => string): CellPart {
  const text = String(value);
  return pattern.test(text) ? { text, path: pathOf(text) } : { text };
}

function split(value: string | number, part: (text: string) => CellPart): CellPart[] {
  return String(value)
    .split(',')
    .map((text) => part(text.trim()));
}

function collectionOf(row: Row): { readonly path?: string } {
  const id = cellOf(row, 'collection_id');
  return id === null ? {} : { path: collectionPath(id) };
}

function linkCollection(text: string, collections: CollectionIds): CellPart {
  const id = collections.get(text);
  return id === undefined ? { text } : { text, path: collectionPath(id) };
}

/** Links a row that contains the id and the name of a collection. The check of the id column excludes rows about other objects. */
function linkNamed(text: string, row: Row, collections: CollectionIds): CellPart {
  const id = collections.get(text);
  return id !== undefined && String(id) === String(cellOf(row, 'id')) ? { text, path: collectionPath(id) } : { text };
}
