import { type ModelServer, startModelServer } from '../explorer/model-server.js';
import { createOwnFolder, type OwnFolder } from '../live/own-folder.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { startProvider } from '../service/sign-in-provider.js';
import { closeAtEnd } from '../services/test-run.js';
import { type Site, startSite } from './site.js';
import { type StrippingProxy, startStrippingProxy } from './stripping-proxy.js';
import { type ConsoleOfSuite, consoleOf, type OpenOptions } from './use-console.js';

/** A service with sign-in behind a proxy, and with the definitions and pages of the suites. */
export interface ConsoleService extends DemoService {
  readonly definitions: OwnFolder;
  readonly pages: OwnFolder;
  readonly proxy: StrippingProxy;
  readonly model: ModelServer;
  /** Another site, which may embed results in frames. */
  readonly site: Site;
  /** Reloads all files. Returns the problems in these files. */
  reload(...files: string[]): Promise<readonly unknown[]>;
  /** Makes the next sign-in that of this user. Returns the options for opening pages. */
  signInAs(login: string, claims?: Readonly<Record<string, unknown>>): OpenOptions;
}

/** The files of a suite by name. The content of the files omits `name:`. */
interface OwnFiles {
  readonly definitions?: Readonly<Record<string, string>>;
  readonly pages?: Readonly<Record<string, string>>;
}

/** Connects the calling suite to Chromium and to a service that all suites with this call share, and adds the files of the suite. */
export function useConsoleService({ definitions = {}, pages = {} }: OwnFiles = {}): ConsoleOfSuite<ConsoleService> {
  return useShared('', {}, async (service) => {
    for (const [name, text] of Object.entries(definitions)) await write(service.definitions, name, text);
    for (const [name, text] of Object.entries(pages)) await write(service.pages, name, text);
    if (Object.keys({ ...definitions, ...pages }).length > 0) await service.reload();
  });
}

/** The path prefix of the service of `useModelConsole`. */
export const PREFIX = '/tools/insight';

/** Like `useConsoleService`, but the service has a language model and a mail server, and is served under a path prefix. */
export function useModelConsole(): ConsoleOfSuite<ConsoleService> {
  return useShared(PREFIX, { MODEL_NAME: 'test', ...MAIL }, async () => undefined);
}

/** No digest is due in the tests, so the service never connects to this mail server. */
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'digest@mail.example' };

function useShared(
  prefix: string,
  environment: Readonly<Record<string, string>>,
  prepare: (service: ConsoleService) => Promise<void>,
): ConsoleOfSuite<ConsoleService> {
  let service: ConsoleService | undefined;
  before(async () => {
    const starting = shared.get(prefix) ?? startConsoleService(prefix, environment);
    shared.set(prefix, starting);
    service = await starting;
    await prepare(service);
  });
  return consoleOf(() => service);
}

const shared = new Map<string, Promise<ConsoleService>>();
closeAtEnd(async () => {
  for (const service of shared.values()) await (await service).close();
});

async function startConsoleService(
  prefix: string,
  environment: Readonly<Record<string, string>>,
): Promise<ConsoleService> {
  const [provider, proxy, model, site] = await Promise.all([
    startProvider(),
    startStrippingProxy(prefix),
    startModelServer(),
    startSite(),
  ]);
  const [definitions, pages] = await Promise.all([createOwnFolder(), createOwnFolder()]);
  const demo = await startDemoService({
    ...provider.environment,
    ...('MODEL_NAME' in environment && { MODEL_URL: model.url }),
    ...environment,
    PUBLIC_URL: proxy.url,
    ENDPOINTS_DIR: `built-in,${definitions.path}`,
    PAGES_DIR: `built-in,${pages.path}`,
    EMBED_ORIGINS: site.origin,
    PLAYGROUND_PER_MINUTE: '0',
  });
  proxy.target = demo.service.url;
  return {
    ...demo,
    ...{ definitions, pages, proxy, model, site },
    reload: async (...files) => {
      const { problems } = await demo.service.definitions.reload();
      return problems.filter(({ file }) => files.some((name) => file.endsWith(name)));
    },
    signInAs: (login, claims = {}) => {
      provider.next.claims = { sub: `host|${login}`, nickname: login, ...claims };
      return { root: proxy.url, origins: [provider.issuer] };
    },
    close: async () => {
      await Promise.all([proxy.close(), model.close(), site.close(), provider.shut(), demo.close()]);
      await Promise.all([definitions.close(), pages.close()]);
    },
  };
}

async function write(folder: OwnFolder, name: string, text: string): Promise<void> {
  await folder.write(`${name}.yaml`, `name: ${name}\n${text}`);
}
