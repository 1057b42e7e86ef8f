import type { Random } from './random.js';

/** Creates names from word pairs; no name is that of a real account or project. Names are unique case-insensitively, as on GitHub. */
export class Names {
  readonly #used = new Set<string>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Reserves a fixed login, for example of a bot. */
  reserve(name: string): string {
    this.#used.add(name.toLowerCase());
    return name;
  }

  /** Creates a name such as `amber-otter`. */
  organization(): string {
    return this.#makeUnique(`${this.#random.pick(COLOURS)}-${this.#random.pick(ANIMALS)}`);
  }

  /** Creates a name such as `tide-cache`, which is unique for its owner. */
  repository(owner: string, nouns: readonly string[]): string {
    const name = `${this.#random.pick(LANDSCAPES)}-${this.#random.pick(nouns)}`;
    return this.#makeUnique(`${owner}/${name}`).slice(owner.length + 1);
  }

  /** Creates a login such as `mirelvost`, `Tovan-Ashbrel` or `keldra84`. */
  login(): string {
    const random = this.#random;
    const given = joinSyllables(random);
    const style = random.unit();
    if (style < 0.35) return this.#makeUnique(given + joinSyllables(random));
    if (style < 0.5) return this.#makeUnique(`${given}-${joinSyllables(random)}`);
    if (style < 0.65) return this.#makeUnique(capitalize(given) + capitalize(joinSyllables(random)));
    if (style < 0.9) return this.#makeUnique(`${given}${random.below(1000)}`);
    return this.#makeUnique(`${capitalize(given)}-${capitalize(joinSyllables(random))}`);
  }

  #makeUnique(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#used.has(name.toLowerCase()); n++) name = `${wanted}${n}`;
    return this.reserve(name);
  }
}

/** Creates a display name, for example `Tovan Ashbrel`. A few are in other scripts or contain an emoji. */
export function createDisplayName(random: Random): string {
  const name = `${capitalize(joinSyllables(random))} ${capitalize(joinSyllables(random))}`;
  if (random.chance(0.005)) return `${name} ${random.pick(EMOJI)}`;
  return random.chance(0.005) ? random.pick(OTHER_SCRIPTS) : name;
}

function joinSyllables(random: Random): string {
  return random.pick(ONSETS) + random.pick(MIDDLES) + random.pick(ENDINGS);
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const splitWords = (text: string): readonly string[] => text.trim().split(/\s+/);

const COLOURS =
  splitWords(`amber azure bronze cobalt copper coral crimson ebony emerald golden hazel indigo ivory jade lilac
  maroon ochre olive opal pearl plum quartz ruby russet saffron sable scarlet silver teal umber violet zinc`);
const ANIMALS =
  splitWords(`badger bison cormorant curlew dormouse egret falcon ferret gecko heron ibex jackdaw kestrel lemur
  lynx marmot marten newt ocelot otter petrel plover puffin quail raven sandpiper stoat tapir tern vole walrus wombat`);
const LANDSCAPES =
  splitWords(`alder bay beck birch brook cairn cliff cove dale delta dune fen fern fjord glade glen grove
  heath isle lagoon ledge loam meadow mesa moor moss peat pine reed ridge shoal spruce tarn tide vale willow`);
const ONSETS =
  splitWords(`al ash bel bren cal cor dal dren el fen gal gor hal ild jor kel lar mir nor or pel quin ral sel
  tov ul var wes yar zel`);
const MIDDLES = splitWords('a ad am ar e el en i il in o ol on or u ur');
const ENDINGS = splitWords('bek dan dra fin gar ka las lin mar mond na nix ra rik ro sa sto ta th vel vo wyn');
const EMOJI = ['🦦', '🌊', '🚀', '🌱', '🐙'];
const OTHER_SCRIPTS = ['海老原ゆめ', '林小舟', 'Łada Świerk', 'Ångström Öberg', '한가람', 'Ваня Лесной', 'Nuñez Ocaña'];
