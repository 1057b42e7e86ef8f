import { closeAtEnd } from '../services/test-run.js';
import { type DemoService, SYSTEM_TIME, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { startProvider, type TestProvider, USUAL } from './sign-in-provider.js';

/** The public URL of these services. */
export const PUBLIC_URL = 'https://insight.example';

/** A service with an identity provider. */
export interface SignInService {
  readonly provider: TestProvider;
  readonly demo: DemoService;
}

/**
 * Returns a service for the calling suite with these settings. Without settings, returns the service that all suites of this process share.
 * Before each test, the provider is reset to no faults. The result must only be read in tests and hooks.
 */
export function useSignIn(settings?: () => Readonly<Record<string, string>>): SignInService {
  let service: SignInService | undefined;
  before(async () => {
    if (settings === undefined) shared ??= startSignIn({});
    service = await (settings === undefined ? shared : startSignIn(settings()));
  });
  beforeEach(() => {
    Object.assign(of().provider.next, USUAL, { claims: { sub: 'host|7', nickname: 'ada' } });
  });
  after(async () => {
    if (settings !== undefined && service !== undefined) await close(service);
  });
  const of = () => {
    if (service === undefined) throw new Error('The service is available in tests and hooks only.');
    return service;
  };
  return {
    get provider() {
      return of().provider;
    },
    get demo() {
      return of().demo;
    },
  };
}

let shared: Promise<SignInService> | undefined;
closeAtEnd(async () => shared && close(await shared));

async function startSignIn(settings: Readonly<Record<string, string>>): Promise<SignInService> {
  const provider = await startProvider();
  const environment = { ...provider.environment, PUBLIC_URL, ENDPOINTS_DIR: FEW_ENDPOINTS };
  // Each session begins at a later time, so that the service can find the oldest session.
  let ticks = 0;
  const clock = () => new Date(SYSTEM_TIME.getTime() + ticks++);
  return {
    provider,
    demo: await startDemoService({ ...environment, ...settings }, { systemClock: clock }),
  };
}

async function close({ provider, demo }: SignInService): Promise<void> {
  await demo.close();
  await provider.shut();
}
