import { expect } from 'chai';
import express from 'express';
import { type HealthPart, type HealthParts, healthOperation } from '../../app-routes/healthy.js';
import { createRateLimits } from '../../engine/http/limits/request-limits.js';
import { mount } from '../../engine/http/operations/mount.js';
import type { OperationRequest } from '../../engine/http/operations/operation.js';
import { listen } from '../../server/listening/listen.js';
import { readSettings } from '../../server/settings/read-settings.js';

/** Fails the test if the health check identifies the caller, because it is an open operation. */
const identify = () => Promise.reject(new Error('an open operation identifies no caller'));
const rateLimits = createRateLimits(readSettings({}));
const routesOf = (parts: HealthParts) =>
  mount([healthOperation(parts)], {
    identify,
    authenticate: async () => undefined,
    clock: () => new Date(0),
    rateLimits,
    bodyLimit: '1kb',
  });

describe('the health check', () => {
  const well: HealthPart = { ping: async () => {} };
  const away: HealthPart = { ping: () => Promise.reject(new Error('away')) };
  const silent: HealthPart = { ping: () => new Promise(() => {}) };

  const serve = async (parts: HealthParts, use: (url: string) => Promise<void>) => {
    const { url, close } = await listen(express().use(routesOf(parts)), readSettings({ PORT: '0' }));
    await use(`${url}/healthy/`).finally(close);
  };
  const cases: readonly (readonly [string, HealthParts, number, readonly boolean[]])[] = [
    ['all parts answer', { database: well, redis: well, shadow: well }, 200, [true, true, true, true]],
    [
      'only a database is there',
      { database: well, redis: undefined, shadow: undefined },
      200,
      [true, true, true, true],
    ],
    [
      'only optional parts are unavailable',
      { database: well, redis: away, shadow: away },
      200,
      [true, true, false, false],
    ],
    [
      'the database is unavailable',
      { database: away, redis: well, shadow: undefined },
      503,
      [false, false, true, true],
    ],
    ['no part answers', { database: silent, redis: silent, shadow: silent }, 503, [false, false, false, false]],
  ];
  for (const [state, parts, status, [healthy, isTiDBHealthy, isRedisHealthy, isShadowTiDBHealthy]] of cases) {
    it(`answers if ${state}`, () =>
      serve(parts, async (url) => {
        const response = await fetch(url);
        expect(response.status).to.equal(status);
        expect(await response.json()).to.deep.equal({ healthy, isTiDBHealthy, isRedisHealthy, isShadowTiDBHealthy });
      }));
  }

  it('pings once for many concurrent requests', async () => {
    let pings = 0;
    let end: () => void = () => {};
    const database: HealthPart = {
      ping: () => {
        pings += 1;
        return new Promise((resolve) => {
          end = resolve;
        });
      },
    };
    const { handle } = healthOperation({ database, redis: undefined, shadow: undefined });
    // The handler is called without HTTP. A ping may take two seconds, and in this time a slow machine would accept too few requests.
    const answers = Array.from({ length: 50 }, () => handle({} as OperationRequest));
    end();
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(pings).to.equal(1);
  });
});
