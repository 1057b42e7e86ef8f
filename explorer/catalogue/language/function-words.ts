/**
 * English words and phrases that neither restrict nor change a question: the closed classes of grammar, polite words, verbs of asking and
 * showing, and names of presentations. Words that restrict a question, such as `not`, `only`, `without`, `than`, `if`, `or`, `both` and
 * `other`, are deliberately not included.
 */
export function functionPhrases(): string[] {
  return [
    ...Object.values(CLASSES).flatMap(phrasesOf),
    ...combine(QUALITIES, PRESENTATIONS),
    ...combine(', in, on, of, by, from, at, with, for, within, across', 'this, your', SERVICES),
    ...combine('in, on, by, from, within, across', 'the, our', SERVICES),
    ...combine('i, we, you, one', ', can, could, may, might, do, would', SERVICE_VERBS),
    ...combine('do, can, could, would', 'i, we, you, one', SERVICE_VERBS),
    ...combine('is, are, was, were, been, being', 'there, here, shown, listed, known, stored, displayed, found'),
    ...combine('who, where, which, what', 'exactly, precisely, actually'),
    ...combine(MAKING, ', me, us', 'a, an, the, some, one'),
  ];
}

/** Whether a word is an adverb that does not restrict a question, such as `apparently`; false for `rarely`. */
export function isAdverb(word: string): boolean {
  return /^\p{Ll}{3,}ly$/u.test(word) && !RESTRICTING_ADVERBS.has(word);
}

const QUALITIES =
  'nice, good, great, beautiful, pretty, useful, helpful, interesting, short, small, simple, clear, readable, neat, handy, colorful, colourful, decent, proper, rough, basic, meaningful, informative, high-level, general, precise, clean, compact, interactive';
const PRESENTATIONS =
  'chart, graph, plot, table, list, listing, overview, summary, view, picture, diagram, report, map, visualization, visualisation, breakdown, ranking, look, idea, answer';
const SERVICES =
  'service, site, website, web site, platform, system, app, application, tool, database, data, dataset, data set, catalogue, catalog, instance, server, page, portal, product, records, api, warehouse';
const SERVICE_VERBS =
  'have, know, know about, know of, see, track, cover, offer, provide, list, hold, keep, store, monitor, maintain, support, find, get, browse, explore, choose, choose from, pick, pick from, select, select from, look at, use here, have data about, have data on, have data for, collect, observe, manage, present, show, index, serve, have here, have there, read, view, ask about, ask for, access, expect, recognise, recognize, host';
const MAKING = 'make, create, build, generate, produce, prepare, compile, draw, assemble, put together';

const CLASSES = {
  determiners: `a, an, the, this, that, these, those, every, all, any, some, full, complete, entire, whole, all the, all of, each of them, of them, them all, such, own, certain, one, ones, either, respective`,
  pronouns: `i, me, my, mine, we, us, our, ours, you, your, yours, he, him, his, she, her, it, its, they, them, their, theirs, itself, themselves, myself, ourselves, one's, thing, things, something, anything, everything, which, what, whatever, whichever, how, there, here, somewhere, anywhere, those who`,
  auxiliaries: `get, gets, getting, come, comes, came, take, takes, took, put, puts, is, are, am, was, were, be, been, being, do, does, did, done, doing, has, have, had, having, can, could, may, might, would, shall, got, i'm, im, i'd, i'll, i've, ive, we're, we'd, we'll, we've, you're, you've, it's, that's, there's, they're, let's, lets, let, what's, whats, who's, whos, how's, hows, where's, here's, what're, have got, has got, gave, given, giving`,
  prepositions: `of, in, on, at, to, for, from, by, with, about, into, onto, within, across, among, amongst, amid, through, throughout, via, around, out, out of, up, down, along, along with, together with, alongside, upon, toward, towards, over, between, during, against, behind, as, in terms of, terms of, with respect to, respect, respect to, with regard to, with regards to, regarding, concerning, according to, based on, judging by, judged by, judged on, measured by, measured in, going by, looking at, when looking at, when it comes to, as for, as to, in regard to, on the basis of, basis, by means of, with the help of, relative to, in relation to`,
  conjunctions: `and, so, then, thus, hence, therefore, as well, as well as, well, because, though, that is, i.e, ie, e.g, eg, namely, -`,
  adverbs: `also, just, quite, very, rather, really, right, now, here, there, too, again, anyway, maybe, perhaps, please, kindly, somehow, indeed, of course, in detail, in general, in particular, in fact, at all, per se, by chance, altogether, nowadays, these days, right now, at the moment, at this moment, at present, at this time, at this point, as of now, as of today, to date, today's, current, currently, present, out there, on there, in there, over here, so to speak, roughly speaking, for me, for us, if any, back, away, apart`,
  polite: `would be fine, is fine, for work, for my work, at work, hopefully, what about, how about, something about, anything about, anyone know, anyone knows, anybody know, any chance, chance, put the, put them, put these, put all, in order, please, pls, plz, please do, thanks, thank you, thx, cheers, regards, hi, hello, hey, dear, ok, okay, oh, hmm, well, sorry, excuse me, by the way, btw, fyi, asap, etc, et al, yes, kind, kind of, sort of, much appreciated, appreciated, mate, buddy, guys, friend, sir, madam, would love, would like, i'd like, i'd love, love to, happy to, glad, hope, hoping, try, trying, able to, possible, would be great, would be nice, would be helpful, would be interesting`,
  asking: `show, shows, shown, list, lists, give, gives, display, find, fetch, print, tell, say, see, seen, view, look, look up, lookup, look like, looks like, look at, want, wants, need, needs, wanna, wish, like, know, known, wonder, wondering, curious, interested, learn, understand, explain, describe, present, provide, return, output, draw, plot, chart, graph, visualize, visualise, render, illustrate, depict, tabulate, enumerate, name, identify, determine, discover, figure out, find out, work out, check, check out, inspect, examine, study, analyze, analyse, summarize, summarise, outline, specify, calculate, compute, retrieve, query, search, search for, looking for, bring up, pull up, hand me, pass me, give us, tell us, show us, get me, get us, get a, get the, get an, i get, we get, get to know, break it down, walk me through, talk me through, run me through, point me to, clue, idea, question, ask, asking, map, fill me in on, go through, need to know, keen, heard, hear, think of, share with me, help me find, help me see, help me understand, help me, remind me, let me know, detail, details`,
  presentations: `basic, basics, graphic, table, diagram, graphs, charts, line chart, bar chart, pie chart, line graph, time chart, bar graph, histogram, overview, summary, summaries, data, info, information, statistics, stats, statistic, figures, insights, insight, picture, view, visual, visualization, visualisation, snapshot, rundown, report of, report on, report about, a report of, a report on, a report about, catalog of, catalogue of, inventory of, directory of, listing, listing of, roster, the list of, list of, total list, showing, displaying, titled, names, named, called, name of, result, results, row, rows, entry, entries, output, as an answer, answer me, format, form, graphed, plotted, charted, shown as, drawn as, visually, graphical, graphically, at a glance, line, dashboard, spreadsheet, csv, bird's-eye, bird's eye view, side by side`,
  time: `until today, till today, up to today, until now, till now, by now, date, dates, interval, period, time range, time period, time frame, timeframe, time span, time window, range`,
  order: `sorted, ordered, order, descending, descending order, decreasing, decreasing order, in order of, arranged, listed by, by order of, from most to least, from highest to lowest, most first, highest first, largest first`,
  motion: `go, goes, going, gone, went, happen, happens, happened, happening, lie, lies, lay, looked, stand behind, stands behind, are behind, turn out, end up, appear, appears, stem, stems`,
  hosts: `github, on github, github's, git hub, in github, com, github.com, github com, community of, base of, the base of, distinct, unique, quick`,
  misspelled: `plese, pleas, sumary, informations, wich, whch, wat, teh, waht, hwo, shwo, wher, whith, wiht, adn, fo, thier, theyre, whos, gimme, gonna, u, r, ur, cud, cld, abt`,
};

/** Adverbs, and other words with the same ending, that restrict or change a question. */
const RESTRICTING_ADVERBS: ReadonlySet<string> = new Set(
  `only, rarely, hardly, barely, nearly, exactly, solely, exclusively, partly, partially, simultaneously, repeatedly, previously,
  formerly, anonymously, successfully, unsuccessfully, manually, automatically, locally, remotely, externally, internally, publicly,
  privately, separately, jointly, regularly, irregularly, occasionally, seldomly, initially, originally, finally, lastly, firstly,
  secondly, directly, indirectly, directly, early, daily, weekly, monthly, yearly, hourly, quarterly, nightly, biweekly, bimonthly,
  family, reply, apply, supply, assembly, friendly, unfriendly, likely, unlikely, elderly, costly, deadly, ugly, silly, badly, poorly, slowly,
  comply, rally, italy, july, anomaly, monopoly, newly, recently, lately, mutually, negatively, positively, temporarily, permanently, voluntarily,
  accidentally, wrongly, illegally, fraudulently, securely, annually, subsequently, eventually, immediately, instantly, promptly, continuously,
  consistently, additionally, averagely, proportionally, relatively, officially, unofficially, professionally, commercially, academically`.split(
    /[\s,]+/,
  ),
);

function phrasesOf(text: string): string[] {
  return text.split(',').map((phrase) => phrase.trim());
}

/** Combines each phrase of the first list with each phrase of the other lists. A list may contain the empty phrase. */
function combine(first: string, ...rest: readonly string[]): string[] {
  return rest.reduce(
    (starts, list) => starts.flatMap((start) => phrasesOf(list).map((phrase) => `${start} ${phrase}`.trim())),
    phrasesOf(first),
  );
}
