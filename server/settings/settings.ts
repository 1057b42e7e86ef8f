import type { ApiFolder } from './api-folder.js';
import { DATABASE_SETTINGS } from './database-settings.js';
import { EXPLORER_SETTINGS } from './explorer-settings.js';
import { IDENTITY_SETTINGS } from './identity-settings.js';
import { MAIL_SETTINGS } from './mail-settings.js';
import { SERVICE_SETTINGS } from './service-settings.js';

/** The table of all settings. Types and `repo-insight config` derive from it; a test compares docs/configuration.md. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  ...DATABASE_SETTINGS,
  ...IDENTITY_SETTINGS,
  ...EXPLORER_SETTINGS,
  ...MAIL_SETTINGS,
} as const;

/** The values of the table of settings. */
export type SettingValues = { readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['parse']> };

export interface Settings extends SettingValues {
  /** The API that the service offers. Absent: the service with the data of GitHub. */
  readonly api?: ApiFolder;
}
