import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Identify } from '../app-routes/caller.js';
import { createIdentify } from '../app-routes/identity/identify.js';
import { createTokenReader } from '../app-routes/identity/tokens.js';
import type { Engine } from '../engine/index.js';
import { Playground } from '../warehouse/playground/playground.js';
import type { StateStore } from '../warehouse/state/state-store.js';
import { Users } from '../warehouse/state/users.js';
import { createApp } from './app.js';
import { writeDocuments } from './description/documents.js';
import { tokenRules } from './identity.js';
import { requestTurns } from './limits/request-limits.js';
import { openLookups } from './lookups.js';
import { READ_ONLY_STATE, serviceOperations } from './operations.js';
import { type OptionalParts, openOptionalParts } from './optional-parts.js';
import type { Settings } from './settings/settings.js';
import { type Shadow, shadowed } from './shadow/shadow.js';
import { openSignIn, type SignIn } from './sign-in.js';
import type { Timeouts } from './timeouts.js';
import type { Warehouse } from './warehouse.js';

export interface ApplicationParts {
  readonly settings: Settings;
  readonly warehouse: Omit<Warehouse, 'close'>;
  readonly engine: Engine;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly timeouts: Timeouts;
}

/** The HTTP application with all that it asks beside the database. */
export interface Application {
  readonly app: Express;
  readonly shadow: Shadow | undefined;
  close(): Promise<void>;
}

/** Opens what the settings name and puts the application together. Nothing stays open where it fails but the warehouse. */
export async function openApplication(parts: ApplicationParts): Promise<Application> {
  const { settings, warehouse, logger } = parts;
  const { database, state = READ_ONLY_STATE, openPlayground } = warehouse;
  const users = new Users(database, state);
  const signIn = await openSignIn(settings, { database, state, users });
  const identify = createIdentify({
    users,
    readToken: createTokenReader(await tokenRules(settings)),
    ...(signIn && { readSession: signIn.sessions.userIdOf }),
  });
  const playground = new Playground(await openPlayground());
  const optional = await openOptionalParts(settings, database, logger, parts.timeouts.redisMs);
  try {
    const app = composed(parts, { state, users, signIn, identify, playground, optional });
    return { app, shadow: optional.shadow, close: optional.close };
  } catch (error) {
    await optional.close();
    throw error;
  }
}

interface OpenedParts {
  readonly state: StateStore;
  readonly users: Users;
  readonly signIn: SignIn | undefined;
  readonly identify: Identify;
  readonly playground: Playground;
  readonly optional: OptionalParts;
}

function composed({ settings, warehouse, clock, logger, ...parts }: ApplicationParts, opened: OpenedParts): Express {
  const { database } = warehouse;
  const { state, users, signIn, identify, playground } = opened;
  const { redis, shadow } = opened.optional;
  const engine = shadowed(parts.engine, shadow);
  const handWritten = serviceOperations({
    health: { database, redis, shadow },
    database,
    engine,
    playground,
    clock,
    state,
    users,
    lookups: openLookups(settings, database, logger),
  });
  const { sessions, operations: signingIn = [] } = signIn ?? {};
  const { operations } = writeDocuments(engine.endpoints, [...handWritten, ...signingIn], sessions?.cookie);
  return createApp({ engine, operations, identify, turns: requestTurns(settings, redis), clock, logger, settings });
}
