import { choicesOperation } from '../app-routes/choices.js';
import type { ConsoleFeatures } from '../app-routes/console/answers.js';
import { badgeOperation } from '../app-routes/console/badges.js';
import { crawlerOperations } from '../app-routes/console/crawlers.js';
import { definitionOperations } from '../app-routes/console/definitions.js';
import { feedOperation } from '../app-routes/console/feeds.js';
import { imageOperations } from '../app-routes/console/images.js';
import { pageOperations } from '../app-routes/console/pages.js';
import { sessionOperation } from '../app-routes/console/session.js';
import { type HealthParts, healthOperation } from '../app-routes/healthy.js';
import { homeOperation, type ServiceDescription } from '../app-routes/home.js';
import { liveOperation } from '../app-routes/live.js';
import { namedQueryOperations } from '../app-routes/named-queries.js';
import { type ReadyParts, readyOperation } from '../app-routes/ready.js';
import type { StoredImages } from '../console/images/stored-images.js';
import type { Authentication } from '../engine/http/access/authentication.js';
import type { AnswerCache } from '../engine/http/cache/answer-cache.js';
import type { Identify } from '../engine/http/operations/caller.js';
import type { Operation } from '../engine/http/operations/operation.js';
import type { Database, Engine } from '../engine/index.js';

export interface EngineOperationParts extends Pick<ReadyParts, 'definitions' | 'pages' | 'drain'> {
  readonly home: ServiceDescription;
  readonly health: HealthParts;
  readonly database: Database;
  readonly engine: Engine;
  readonly cache: Pick<AnswerCache, 'serve'>;
  /** Returns the time for answers with data. With a fixed time, old data can be replayed. */
  readonly clock: () => Date;
  readonly identify: Identify;
  readonly features: ConsoleFeatures;
  readonly images: Pick<StoredImages, 'get'>;
  readonly authentication: Authentication;
  /** The public URL of the service, if it is configured. */
  readonly publicUrl?: string | undefined;
}

/** Creates the hand-written operations that every service has, independent of its data. */
export function engineOperations(parts: EngineOperationParts): Operation[] {
  const { home, health, database, engine, cache, clock, identify, features, definitions, pages, images, drain } = parts;
  const { authentication, publicUrl } = parts;
  return [
    homeOperation(home),
    healthOperation(health),
    liveOperation(),
    readyOperation({ database, definitions, pages, drain }),
    ...namedQueryOperations(engine, authentication),
    choicesOperation(engine, authentication),
    ...definitionOperations(engine, definitions),
    ...pageOperations(engine, pages),
    sessionOperation(identify, features, clock),
    ...imageOperations({ engine, cache, images, authentication }),
    badgeOperation({ engine, cache, authentication }),
    feedOperation({ engine, cache, authentication, pages, publicUrl, service: home.name }),
    ...crawlerOperations({ engine, pages, publicUrl }),
  ];
}
