/**
 * The words of questions: the only place in the catalogue with words of the domain. A phrase can have up to four words.
 * Plural forms that only add "s" are found without an entry.
 */

/** Phrases by concept. A phrase in several entries has all of these concepts. */
export const CONCEPTS: Readonly<Record<string, string>> = {
  star: `by star, by stargazer, gave a star, give a star, gives a star, given a star, giving a star, gave stars, give stars, giving stars, gave their star, gave it a star, gave their stars, leave a star, left a star, star, starred, starring, starrer, stargazer, star gazer, stargazing`,
  issue: `by issue, by bug, by bug report, bug, problem, defect, issue, ticket, bug report, bug reporter, issue ticket`,
  'pull-request': `by pr, by pull request, by pull-request, pr, pull request, pull-request, pullrequest, merge request, code contribution, mr, mrs, pull req, pullreq, patch, patches`,
  person: `audience, which people, which users, what users, folks, someone, somebody, guys, committer of pull requests, volunteer, originator, initiator, writer, supporter, admirer, enthusiast, profile, newcomer, participant, username, handle, community member, people on github, who, whom, whose, people, person, persons, user, developer, dev, folk, account, login, individual, contributor,
    creator, opener, author, reporter, submitter, filer, requester, stargazer, star gazer, starrer, fan, coder,
    programmer, engineer, member of the community, poster, username, bug reporter, names of the people, everyone, everybody, anyone, anybody`,
  create: `logged, lodge, lodged, initiated, initiate, handed in, hand in, open, opened, opening, create, created, creating, creation, file, filed, filing, submit, submitted, submitting,
    submission, raise, raised, raising, report, reported, reporting, send, sent, sending, post, posted, posting, authored,
    make, made, making, creator, opener, author, reporter, submitter, filer, requester, contribute, contributed,
    contributing, contributes, contributor, wrote, write, poster, put in, back, backed, support, bring, brought, push in, opening of, bug reporter`,
  country: `place of origin, places of origin, where from, country-wise, countrywise, homelands, provenance, international, internationally, from all over the world, all over the world, around the world, around the globe, around the planet, across the world, map of the world, which part of the planet, home country, home countries, origin, countries of residence, country of residence, where in the world, country, countries, nation, nationality, nationalities, geography, geographic, geographical, geographically,
    location, located, world, worldwide, globe, globally, global, part of the world, parts of the world, homeland,
    country of origin, countries of origin, world map, geo, territory, territories`,
  organization: `have their jobs, have their job, have a job, have jobs, on the payroll of, payroll, places of work, work places, workplaces, job, jobs, employed by, employed at, day job, institute, organization, organisation, org, company, companies, employer, employ, employed, firm, business, businesses,
    corporation, corporate, work for, works for, working for, work at, works at, working at, worked for, workplace, place of work, work,
    affiliation, affiliated, institution, enterprise, organizational, organisational, vendor, organizationally`,
  growth: `balloon, swell, soar, surge, skyrocket, multiply, mushroom, accelerate, go up, goes up, going up, went up, gone up, pick up speed, rate of growth, how fast, how quickly, growth of the base, grows, growth, grow, grew, grown, growing, growth curve, increase, increased`,
  'over-time': `fluctuate, shift, unfold, advance, progress, chronology, chronological, chronologically, time axis, timewise, since its creation, since creation, since launch, since it was created, from the start, from the start on, until now, up to now, up until now, to this day, over its lifetime, lifetime, long-term, long term, as the months went by, as the years went by, as the weeks went by, throughout the years, throughout the months, throughout time, all the time, at each point in time, at any time, over the course of, in the course of, through the months, across the months, as a time series, over the last few years, from the beginning, since day one, with time, so far per month, the course of, over time, over the time, history, historical, historically, evolution, evolve,
    evolved, develop, developed, develops, timeline, time line, time series, curve, progression, progress, trajectory, cumulative, cumulatively, running total, accumulate,
    accumulated, through time, through the years, across time, over the years, over the months, over the weeks, over the days, trend,
    development, rise, risen, rose, climb, climbed, expand, expanded, expansion, month by month, week by week,
    day by day, monthly, weekly, daily, per month, per week, per day, by month, by week, by day, each month, each week, each day,
    every month, every week, every day, month over month, change, changed, changes, change over time, at the end of each month, at the end of every month, at the end of each week, at the end of every week, at the end of each day, at the end of every day, as time goes by, since the beginning, since the start`,
  trending: `in vogue, in fashion, fashionable, explode, exploding, exploded, skyrocketing, soaring, surging, making waves, make waves, on fire, up-and-coming, up and coming, emerging, buzz, viral, spotlight, in the spotlight, rocketing, trended, gains traction, gained traction, pick up traction, picking up steam, gaining steam, gaining momentum, gain momentum, pulling ahead, getting attention, get attention, getting noticed, everyone is talking about, everybody is talking about, people are talking about, talked about, the talk of, gained popularity, gain popularity, gaining in popularity, getting popular, becoming popular, blew up, blow up, blowing up, took off, take off, going viral, went viral, buzzing, gaining popularity, rising, that trend, which trend, to trend, trend right now, trend now, hyped, hype, trending, trendy, popular right now, popular now, popular at the moment, popular today, hot right now, hot today,
    gaining traction, on the rise, taking off, trends`,
  hot: `hot, hottest, hotness, hotter`,
  popular: `popular, popularity, visitor, view, click, clicks, page views, attention, interest, look at, looks at, looking at, people look at, people looked at, people looking at, people are looking at, everybody is looking at, everyone is looking at, everybody looks at, everyone looks at, users look at, people visit, people visited, people view, people open, people like, people love, people prefer, people are into, are people into, people into, users visit, users view, users like, users are into, developers like, developers look at, developers visit, beloved, loved, liked, favorite, favourite, favorites, favourites, sought after, sought-after, in demand, visited, viewed, asked for, looked at, visits, views`,
  collection: `collection`,
  rank: `by star, by stargazer, by issue, by bug, by bug report, by pr, by pull request, by pull-request, arrange, stack up, fare, do best, compete, race, contest, scoreboard, score board, podium, league, hit list, hitlist, chart, order, ordering, top of the, head to head, league table, toplist, top list, sort, rank order, placed, place, rank, ranked, ranking, ranks, rankings, leaderboard, leader board, standings, order by, ordered by, sort by, sorted by, chart of, charts`,
  repository: `repo, repository, repositories, project, codebase`,
  count: `how many, number of, number, numbers of, count, total, total number of, amount of, quantity of, tally, headcount`,
  share: `percental, percentage, percent, share, proportion, fraction, percentages`,
  breakdown: `by share, per cent, scattered, scatter, dispersed, dispersion, allocate, allocated, subdivide, classify, bucket, bucketed, mix, make-up, categorize, categorise, segmented, segment, profile of,  proportionally, across the globe, divided, divide, diversified, each, per, breakdown, break down, broken down, distribution, distributed, distribute, split, split up, group, grouped,
    spread, demographics, demographic, composition, make up, various, different, respective, represented, represent, representation, diverse, diversity`,
  most: `greatest number, highest number, largest number, highest, in the lead, ahead, first place, number one, most, most active, top, highest, biggest, largest, leading, best, main, major, dominant, dominate, dominated, frequent, frequently, busiest, prolific, lead, leads,
    greatest, strongest, important, key, strong, mostly, mainly, primarily, especially, heaviest, common, commonly, winner, winning, at the top`,
  origin: `come, comes, came, coming, live, lives, living, based, reside, residing, originate, originating, hail, originated, background, sit, situated`,
  where: `where`,
  gain: `activity, attract attention, amass, harvest, obtain, grab, bring in, brings in, brought in, garner, score, rack up, racked up, see, sees, saw, seeing, accumulate, flooded, flooded with, flood, drew, draw in, pull in, pulled in, gain, gained, gaining, get, gets, got, getting, receive, received, receiving, earn, earned, attract, attracted, collect, collected,
    win, won, pick up, picked up, acquire, acquired, momentum, fastest, fastest growing`,
  new: `new, lately, newly, recent, recently, freshly`,
  contain: `be found, is found, are found, found in, count as, counts as, grouped under, group under, hold, holds, holding, comprise, comprises, cover, covers, comprising, encompass, fall into, falls into, falling into, fall under, listed under, listed in, listed by, classified, categorized, categorised, classed, filed under, include, includes, included, including, contain, contains, contained, containing, belong, belongs, belonging, part of, inside, member, consist, consists, grouped, featured, make up, listed, content, contents`,
  manner: `how do, how does, how can, how could, how to, how should, what did, what do, what does, what have`,
  'all-time': `so far, ever, in total, overall, altogether, all time, of all time`,
  compare: `compare, compared, comparing, comparison, side by side`,
  written: `written, writen, coded, implemented, made with, programmed`,
  attribute: `with their company, with their companies, with their employer, with their organization, with their country, with their countries, with their location, with their nationality, and their company, and their companies, and their employer, and their organization, and their country, and their countries, and their location`,
  change: `can anyone, can anybody, can everyone, can everybody, can people, can users, can developers, can companies, could anyone, could anybody, may anyone, create a collection, create a new collection, create me a collection, make a collection, make a new collection, make me a collection, build a collection, build me a collection, build a new collection, new collection, another collection`,
  now: `lately, right now, now, at the moment, at this moment, at present, at this time, currently, nowadays, these days, presently`,
  exist: `provide, provided, offering, pick, choose, selectable, to choose from, to pick from, maintain, maintained, prepared, predefined, pre-defined, set up, supported, catalog, catalogue, inventory, directory, index, exist, exists, existing, available, offer, offered, curated, public, defined, browse, have here, explore`,
};

/** Concepts that a question can omit, even if every question of a definition has them. */
export const WEAK_CONCEPTS: ReadonlySet<string> = new Set([
  ...[
    'create',
    'count',
    'new',
    'growth',
    'share',
    'breakdown',
    'most',
    'origin',
    'where',
    'gain',
    'contain',
    'exist',
    'rank',
  ],
  'repository',
]);

/** Concepts of things that questions list or count. */
export const NOUN_CONCEPTS: ReadonlySet<string> = new Set([
  ...['star', 'issue', 'pull-request', 'person', 'country', 'organization', 'repository', 'collection'],
]);

/** If a question has the first concept and not the second, the second one is added. */
export const IMPLIED_CONCEPTS: readonly (readonly [has: string, unless: string, adds: string])[] = [
  ['where', 'organization', 'country'],
  ['growth', 'collection', 'over-time'],
  ['compare', 'rank', 'rank'],
];

/**
 * Words with another meaning than similar words of the vocabulary. Neither the correction of spelling nor another form of a known word
 * explains these words.
 */
export const OTHER_WORDS = `connection, connections, correction, corrections, collective, selection, selections, product, products, allocation, relation, relations, rotation, vacation, notation,
  mouth, brown, crown, victory, foster, banked, content, contest, context, contrast, contract, control, comment, commits, forms, films, formation, information, nation's, ration, station, stations, treat, tread, bread, brand, growls, process, protect, object, subject, reject, rejected, objects, popularly, report, reports, resort, import, export, deport, airport, support, spending, trailing, trading, traders, treading, tending, folks, forked, charge, charges, charged, chance, courage, coverage, clone, clones, cloned, download, downloads, downloaded,
  started, starts, start, stared, stories, story, store, stores, stand, starving, stats, stack, stay, issued, issuer, tissue, merged, merge, merges, merging, closed, close, closes, closing,
  commit, commits, committed, committer, committers, fork, forks, forked, forking, forker, review, reviews, reviewed, reviewer, reviewers, comment, comments, commented, commenter,
  push, pushed, pushes, pusher, release, releases, released, label, labels, labeled, assigned, assignee, milestone, branch, branches, tag, tags, watch, watched, watcher, watchers,
  median, average, mean, slowest, longest, shortest, less, more, than, compare, compared, comparison, versus, vs, not, never, without, except, excluding, ignoring, other,
  why, when, will, predict, forecast, next, future, first, last, second, third, before, after, since, until, today, yesterday, tomorrow, hour, hours, day, days, week, weeks, month, months, year, years, quarter, quarters,
  user's, use, used, uses, using, country's, county, counties, county's, counter, contrary, city, cities, state, states, region, regions, continent, continents, timezone, timezones, town,
  email, emails, password, license, licenses, language, languages, python, german, french, bot, bots, human, humans, follower, followers, follow, followed, sponsor, sponsors, donate,
  reopen, reopened, opinion, opposite, pen, opera, operate, crate, crates, cargo, date, rate, rates, rated, rating, ranging, range, rang, random, banking, tanking, working, worker, walk, word, words,
  posting, past, paste, host, most, cost, lost, sense, sand, set, ten, test, tests, tested, best, west, rest, line, lines, code, size, weight, raised, raining, training, trained, draining, bending, sending, spending, lending,
  not, note, notes, net, hop, hat, shot, hit, dot, spot, pot, got, lot, job, log, stop, stops, step, shop, drop, dropped, lose, loses, losing, unstar, unstarred, unstarring, decline, declined, shrink, decrease,
  person's, personal, reason, season, company's, compare, compile, accompany, complain, complaint, complaints, deleted, archived, stale, inactive, abandoned, dead, tend, stare, stared, projected, patched, returning, returned, return, thank, watch, rejected, accepted, accept, approve, approved, approving, declined, pending, draft, drafts, resolved, resolve, solved, fixed, fix, unresolved, responded, respond, answer, answered, unanswered, mentioned, mention, weekend, holiday, weekday, night, morning, evening, percentile, variance, deviation, correlation, correlate, per, ratio, capita, minimum, maximum, exactly, precisely, both, another, else, same, or, nor, if, unless, than, only, once, twice, never, old, young, age, oldest, newest, latest, earliest`;

/** Words that are a state before a thing, unless an actor or one of the words `before` precedes them. */
export const STATE_WORDS = {
  words: new Set(['open']),
  things: new Set(['issue', 'pull-request']),
  actors: new Set(['person', 'country', 'organization']),
  before: new Set(['who', 'that', 'to']),
} as const;

/** Other names of enum values. */
export const VALUE_NAMES: Readonly<Record<string, string>> = {
  JavaScript: 'js, java script, ecmascript',
  TypeScript: 'ts, type script',
  Python: 'py',
  'C++': 'cpp, c plus plus, cplusplus, cxx',
  'C#': 'csharp, c sharp, c-sharp',
  Go: 'golang',
  Ruby: 'rb',
  Rust: 'rustlang, rust-lang',
  Shell: 'bash, shell script',
  PowerShell: 'power shell',
  'Objective-C': 'objective c, objc, obj-c',
  'Emacs Lisp': 'elisp, emacs-lisp',
  'Common Lisp': 'common-lisp',
  Haskell: 'hs',
};

/** Words that name an order, and the enum values that they mean. The first matching value is taken. */
export const ORDERS: readonly {
  readonly phrases: string;
  readonly values: RegExp;
  /** Whether the words must be about people: the newest people are not the authors of the newest issues. */
  readonly isOfPeople?: true;
}[] = [
  {
    phrases:
      'most recently merged, most recently merged first, newest merge, latest merge, newest first merge, latest first merge',
    values: /merged_at-desc$/,
  },
  {
    phrases: 'first merge, first merged, merged first, earliest merge, earliest merged, first to get merged',
    values: /merged_at$/,
  },
  {
    phrases:
      'newest, newest first, most recent, most recently, latest, latest first, most recent first, newest at the top, latest at the top, newest on top, newest to oldest, from newest to oldest',
    values: /opened_at-desc$/,
    isOfPeople: true,
  },
  {
    phrases:
      'oldest to newest, from oldest to newest, oldest at the top, came first, who came first, oldest, oldest first, earliest, earliest first, first, first to, longest ago, very first',
    values: /opened_at$/,
  },
  {
    phrases:
      'alphabetical, alphabetically, alphabetic, alphabetical order, by login, by username, a to z, by user name, login order, a-z, from a to z, by name, alphabet, by alphabet',
    values: /^(login|name)$/,
  },
  {
    phrases:
      'fewest, least, lowest, smallest, ascending, ascending order, increasing order, least active, fewest first, least first, from fewest to most, fewest at the top, fewest on top, from least to most',
    values: /^(?!.*_at)(?!.*-desc$)(?!login$|name$)/,
  },
];

/** Words for the rows that a boolean parameter `exclude_…` excludes, by the rest of its name. */
export const EXCLUDED_ROWS: Readonly<Record<string, string>> = {
  bots: 'bot user, bot users, bot, bots, bot account, bot accounts, robots, app accounts, automated accounts, automation',
  unknown: `without a country, without country, without known country, without a known country, without any country, without a company, without company, without known company, without a known company, without an organization, without organization, without known organization, without a known organization, without an employer, without a known employer, without location, without a known location, unknown origin, unknown employer, unknown employers, unknown affiliation,
    unknown, unknowns, unknown country, unknown countries, unknown organization, unknown organizations, unknown company, unknown companies,
    unknown location, unknown locations, unspecified, undisclosed, unknown ones, unknown users, unknown people, unknown rows, unknown entries, no country, no known country, no company, no known company, no organization, no known organization`,
};

export const INCLUDING = `also, and also, even, also show, also list, show also, keep in, including, include, includes, included, with, also count, count also, incl, plus, together with, as well as, counting, keep, along with, also include`;
/** Words that exclude rows; after a negation they include them. */
export const EXCLUDING = `excluding, hide, hiding, leave, dropping, remove, removing, filter, filtering out, suppress, exclude, excludes, excluded, without, no, ignoring, ignore, not counting, not including, except, except for, leave out, leaving out, skip, skipping, omit, omitting, filter out, do not include, don't include, other than, minus, drop, that are not, who are not`;

/** Words before `EXCLUDING`, as in `do not leave out`. */
export const NEGATIONS = `do not, don't, dont, not, without, never, please do not, please don't, rather than, instead of`;

/** Words that have the meaning of a boolean parameter `exclude_bots` with the value true. */
export const ONLY_KNOWN: Readonly<Record<string, string>> = {
  bots: 'humans only, only humans, human users, human users only, real people, real people only, human, humans, real users',
  unknown:
    'known countries only, known only, only known, known countries, known organizations, known companies, only known countries',
};

/** Entities, and the parameters that identify them. */
export const ENTITY_PARAMETERS = {
  repository: ['owner', 'repo'],
  collection: ['collection_id'],
} as const;
