import { WeightedChoice } from './random.js';

/**
 * A country of demo people: its code (ISO 3166-1 alpha-2), its approximate share of developers, and its places as
 * people write them in profiles.
 */
export interface Country {
  readonly code: string;
  readonly weight: number;
  readonly places: readonly string[];
}

export const COUNTRIES: readonly Country[] = [
  { code: 'US', weight: 200, places: ['San Francisco, CA', 'New York', 'Seattle, WA', 'USA', 'Austin, Texas'] },
  { code: 'CN', weight: 120, places: ['Beijing', 'Shanghai, China', '杭州', 'Shenzhen'] },
  { code: 'IN', weight: 110, places: ['Bengaluru', 'Pune, India', 'Hyderabad', 'India'] },
  { code: 'DE', weight: 70, places: ['Berlin', 'München', 'Hamburg, Germany', 'Germany'] },
  { code: 'GB', weight: 60, places: ['London', 'Manchester, UK', 'Edinburgh'] },
  { code: 'BR', weight: 48, places: ['São Paulo', 'Rio de Janeiro, Brasil', 'Brazil'] },
  { code: 'FR', weight: 44, places: ['Paris', 'Lyon, France', 'France'] },
  { code: 'JP', weight: 42, places: ['Tokyo', '東京', 'Osaka, Japan'] },
  { code: 'CA', weight: 40, places: ['Toronto', 'Montréal, QC', 'Vancouver'] },
  { code: 'RU', weight: 28, places: ['Moscow', 'Saint Petersburg'] },
  { code: 'KR', weight: 26, places: ['Seoul', '서울'] },
  { code: 'NL', weight: 24, places: ['Amsterdam', 'Utrecht, The Netherlands'] },
  { code: 'ES', weight: 24, places: ['Madrid', 'Barcelona'] },
  { code: 'PL', weight: 22, places: ['Warszawa', 'Kraków, Poland'] },
  { code: 'AU', weight: 22, places: ['Sydney', 'Melbourne, Australia'] },
  { code: 'IT', weight: 20, places: ['Milano', 'Roma, Italy'] },
  { code: 'SE', weight: 16, places: ['Stockholm', 'Göteborg'] },
  { code: 'UA', weight: 16, places: ['Kyiv', 'Lviv, Ukraine'] },
  { code: 'TR', weight: 14, places: ['Istanbul', 'Ankara, Türkiye'] },
  { code: 'CH', weight: 13, places: ['Zürich', 'Geneva, Switzerland'] },
  { code: 'TW', weight: 13, places: ['Taipei', '台北'] },
  { code: 'ID', weight: 13, places: ['Jakarta', 'Bandung, Indonesia'] },
  { code: 'VN', weight: 12, places: ['Hanoi', 'Ho Chi Minh City'] },
  { code: 'NG', weight: 11, places: ['Lagos', 'Abuja, Nigeria'] },
  { code: 'MX', weight: 10, places: ['Ciudad de México', 'Guadalajara'] },
  { code: 'AR', weight: 10, places: ['Buenos Aires', 'Córdoba, Argentina'] },
  { code: 'SG', weight: 9, places: ['Singapore'] },
  { code: 'IL', weight: 9, places: ['Tel Aviv', 'Haifa'] },
  { code: 'CZ', weight: 8, places: ['Praha', 'Brno'] },
  { code: 'DK', weight: 7, places: ['København', 'Aarhus'] },
  { code: 'NO', weight: 7, places: ['Oslo', 'Bergen'] },
  { code: 'FI', weight: 7, places: ['Helsinki', 'Tampere'] },
  { code: 'PT', weight: 7, places: ['Lisboa', 'Porto'] },
  { code: 'AT', weight: 6, places: ['Wien', 'Graz, Austria'] },
  { code: 'BE', weight: 6, places: ['Brussels', 'Gent'] },
  { code: 'EG', weight: 6, places: ['Cairo'] },
  { code: 'KE', weight: 6, places: ['Nairobi'] },
  { code: 'NZ', weight: 5, places: ['Wellington', 'Auckland'] },
  { code: 'IE', weight: 5, places: ['Dublin'] },
  { code: 'ZA', weight: 5, places: ['Cape Town', 'Johannesburg'] },
];

/** Selects an index into COUNTRIES by weight. */
export const COUNTRY_CHOICE = new WeightedChoice(COUNTRIES.map((country) => country.weight));

/** Location texts from which no country can be found. */
export const VAGUE_PLACES: readonly (string | null)[] = [
  null,
  null,
  null,
  null,
  '',
  'Earth',
  'the internet',
  '127.0.0.1',
];
