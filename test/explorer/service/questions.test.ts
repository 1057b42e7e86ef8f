import { onBothDatabases } from '../../services/mysql.js';
import { describeEmbedded } from '../../services/server.js';
import { accessTests } from './access.js';
import { answerTests } from './answer.js';
import { askTests } from './ask.js';
import { errorTests, errorTestsOfSettings } from './error-types.js';
import { eventTests, stopTests } from './events.js';
import { useExplorerService } from './explorer-service.js';
import { statusTests } from './statuses.js';

// All parts share one service, because starting it takes longer than most parts.
onBothDatabases('questions over HTTP', (environment) => {
  const serviceFor = useExplorerService(() => ({ ...environment(), SHUTDOWN_TIMEOUT_MS: '2000' }));
  describe('POST /explorer/questions/', () => askTests(serviceFor('ask')));
  describe('POST /explorer/answer/', () => answerTests(serviceFor('answer')));
  describe('the operations of the explorer', () => accessTests(serviceFor('access')));
  describe('the error of a question', () => errorTests(serviceFor('errors')));
  describe('the events of a question', () => eventTests(serviceFor('events')));
  describe('the statuses of a question', () => statusTests(serviceFor('statuses')));
  describe('when the service stops', () => stopTests(serviceFor('stop')));
});

describeEmbedded('the error of a question over HTTP', errorTestsOfSettings);
