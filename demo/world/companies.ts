import { at, type Random } from './random.js';

const COMPANIES = [
  'Brackwater Labs',
  'Tidewheel',
  'Northfen',
  'Quillmark',
  'Osprey Works',
  'Fernhollow',
  'Cobaltine',
  'Marlowick',
  'Sablegate',
  'Umberline',
  'Larkstone Systems',
  'Veldmoor',
  'Pinebarrow',
  'Ivorycliff',
  'Zincfield',
  'Hazelport',
  'Lilac & Loam',
  'Petrelon',
  'Ruskbridge University',
  'University of Gladeholm',
  'Emberquay',
  'Coraldane',
  'Mossgrid',
  'Tarnworks',
  'Ochre Collective',
] as const;

const NO_COMPANY = ['n/a', 'none', 'N/A', '@', ' ', 'None'] as const;

/** Returns the text of the company field, or null. Large companies have many people. */
export function pickCompany(random: Random): string | null {
  const share = random.unit();
  if (share >= 0.4) return null;
  // Some people write that they have no company.
  if (share >= 0.35) return random.pick(NO_COMPANY);
  const company = at(COMPANIES, Math.floor(COMPANIES.length * random.unit() ** 1.8));
  return random.pick(SPELLINGS)(company);
}

/** Different spellings of one company. */
const SPELLINGS: readonly ((company: string) => string)[] = [
  (company) => company,
  (company) => company,
  (company) => company,
  (company) => `@${company}`,
  (company) => `${company} `,
  (company) => company.toUpperCase(),
  (company) => `@${company.toLowerCase()}`,
];
