import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Envelope } from '../../engine/http/envelopes/envelope.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

const DEFINITION = `name: biggest-owners
path: /v1/owners/biggest/
summary: Owners with the most repositories
tags: [Owners]
params:
  most: { in: query, type: integer, minimum: 1, maximum: 50, default: 3, description: How many owners. }
columns:
  - { col: owner, data_type: VARCHAR, nullable: false, description: Login }
  - { col: repositories, data_type: BIGINT, nullable: false, description: How many }
sql: |
  SELECT owner_login AS owner, COUNT(*) AS repositories
  FROM github_repos
  GROUP BY owner_login
  ORDER BY repositories DESC, owner
  LIMIT {{ most }}
examples:
  - { name: the three biggest, params: {} }
`;

describe('a definition dropped into the folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-endpoints-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('is available at its path and by name after a restart', async () => {
    await writeFile(join(folder, 'biggest-owners.yaml'), DEFINITION);
    const demo = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${folder}` });
    try {
      const shipped = await loadDefinitions({ endpointsDirectory: FEW_ENDPOINTS });
      expect(demo.service.endpoints).to.equal(shipped.length + 1);
      const { data } = (await (await demo.get('/v1/owners/biggest?most=2')).json()) as Envelope;
      expect(data.rows).to.have.length(2);
      expect((await demo.get('/q/biggest-owners')).status).to.equal(200);
    } finally {
      await demo.close();
    }
  });
});
