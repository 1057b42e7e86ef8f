import type { Random } from './random.js';

/**
 * Invented names from word pairs: nothing here is a real account or project. Every name is given once, whatever its
 * capitals, because the platform's logins and repository names are not case-sensitive.
 */
export class Names {
  readonly #taken = new Set<string>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A login that must be as it is, such as a bot's. */
  reserve(name: string): string {
    this.#taken.add(name.toLowerCase());
    return name;
  }

  /** Such as `amber-otter`. */
  organization(): string {
    return this.#unused(`${this.#random.pick(COLOURS)}-${this.#random.pick(ANIMALS)}`);
  }

  /** Such as `tide-cache`; unique under its owner. */
  repository(owner: string, nouns: readonly string[]): string {
    const name = `${this.#random.pick(LANDSCAPES)}-${this.#random.pick(nouns)}`;
    return this.#unused(`${owner}/${name}`).slice(owner.length + 1);
  }

  /** Such as `mirelvost`, `Tovan-Ashbrel` or `keldra84`. */
  login(): string {
    const random = this.#random;
    const given = syllables(random);
    const style = random.unit();
    if (style < 0.35) return this.#unused(given + syllables(random));
    if (style < 0.5) return this.#unused(`${given}-${syllables(random)}`);
    if (style < 0.65) return this.#unused(capital(given) + capital(syllables(random)));
    if (style < 0.9) return this.#unused(`${given}${random.below(1000)}`);
    return this.#unused(`${capital(given)}-${capital(syllables(random))}`);
  }

  #unused(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n++) name = `${wanted}${n}`;
    return this.reserve(name);
  }
}

/** A display name, such as `Tovan Ashbrel`; a few are in other scripts or carry an emoji. */
export function displayName(random: Random): string {
  const name = `${capital(syllables(random))} ${capital(syllables(random))}`;
  if (random.chance(0.005)) return `${name} ${random.pick(EMOJI)}`;
  return random.chance(0.005) ? random.pick(OTHER_SCRIPTS) : name;
}

function syllables(random: Random): string {
  return random.pick(ONSETS) + random.pick(MIDDLES) + random.pick(ENDINGS);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const COLOURS = words(`amber azure bronze cobalt copper coral crimson ebony emerald golden hazel indigo ivory jade lilac
  maroon ochre olive opal pearl plum quartz ruby russet saffron sable scarlet silver teal umber violet zinc`);
const ANIMALS = words(`badger bison cormorant curlew dormouse egret falcon ferret gecko heron ibex jackdaw kestrel lemur
  lynx marmot marten newt ocelot otter petrel plover puffin quail raven sandpiper stoat tapir tern vole walrus wombat`);
const LANDSCAPES = words(`alder bay beck birch brook cairn cliff cove dale delta dune fen fern fjord glade glen grove
  heath isle lagoon ledge loam meadow mesa moor moss peat pine reed ridge shoal spruce tarn tide vale willow`);
const ONSETS = words(`al ash bel bren cal cor dal dren el fen gal gor hal ild jor kel lar mir nor or pel quin ral sel
  tov ul var wes yar zel`);
const MIDDLES = words('a ad am ar e el en i il in o ol on or u ur');
const ENDINGS = words('bek dan dra fin gar ka las lin mar mond na nix ra rik ro sa sto ta th vel vo wyn');
const EMOJI = ['🦦', '🌊', '🚀', '🌱', '🐙'];
const OTHER_SCRIPTS = ['海老原ゆめ', '林小舟', 'Łada Świerk', 'Ångström Öberg', '한가람', 'Ваня Лесной', 'Nuñez Ocaña'];
