import { fileURLToPath } from 'node:url';
import { FEW_ENDPOINTS, TRENDS } from '../../service/few-endpoints.js';
import { onServer } from '../../services/mysql.js';
import { describeEmbedded } from '../../services/server.js';
import { accessTests } from './access.js';
import { answerRowTests, answerTests } from './answer.js';
import { askTests } from './ask.js';
import { errorTests, queryErrorTests, tokenLimitTest } from './error-types.js';
import { eventTests, stopTests } from './events.js';
import { useExplorerService } from './explorer-service.js';
import { runningTests, statusTests } from './statuses.js';

/** The definitions that these questions use. */
const SETTINGS = {
  ENDPOINTS_DIR: [
    FEW_ENDPOINTS,
    TRENDS,
    fileURLToPath(new URL('../../../../endpoints/repos/issue-creators', import.meta.url)),
  ].join(),
  SHUTDOWN_TIMEOUT_MS: '2000',
};

// All parts share one service, because starting it takes longer than most parts.
describeEmbedded('questions over HTTP', () => {
  const serviceFor = useExplorerService(() => SETTINGS);
  describe('POST /explorer/questions/', () => askTests(serviceFor('ask')));
  describe('POST /explorer/answer/', () => answerRowTests(serviceFor('answer-rows')));
  describe('POST /explorer/answer/ without rows', () => answerTests(serviceFor('answer')));
  describe('the operations of the explorer', () => accessTests(serviceFor('access')));
  describe('the error of a question', () => errorTests(serviceFor('errors')));
  describe('the events of a question', () => eventTests(serviceFor('events')));
  describe('the statuses of a question', () => statusTests(serviceFor('statuses')));
  describe('the statuses of a query', () => runningTests(serviceFor('running')));
  describe('when the service stops', () => stopTests(serviceFor('stop')));
});

// The store of questions and the explorer have their own tests on a server, so only queries and their rows are tested here.
onServer('questions over HTTP', (environment) => {
  const serviceFor = useExplorerService(() => ({ ...SETTINGS, ...environment() }));
  describe('POST /explorer/answer/', () => answerRowTests(serviceFor('answer-rows')));
  describe('the error of a question', () => queryErrorTests(serviceFor('errors')));
  describe('the statuses of a query', () => runningTests(serviceFor('running')));
});

describeEmbedded('the error of a question over HTTP', tokenLimitTest);
