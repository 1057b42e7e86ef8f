import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';

describe('the origins that can embed charts', () => {
  for (const value of [
    'site.example',
    'https://site.example/',
    'https://a.example; script-src *',
    '*,https://a.example',
  ]) {
    it(`cannot be ${value}`, () => {
      expect(() => readSettings({ EMBED_ORIGINS: value })).to.throw('origins such as https://site.example');
    });
  }
});
