import { expect } from 'chai';
import { Lexicon } from '../../../explorer/catalogue/language/lexicon.js';
import { withoutPreamble } from '../../../explorer/catalogue/language/preamble.js';
import { Spelling } from '../../../explorer/catalogue/language/spelling.js';
import { readRepositoryName, readTokens } from '../../../explorer/catalogue/language/text.js';
import { CollectionReader } from '../../../explorer/catalogue/reading/collections.js';
import { readRanges } from '../../../explorer/catalogue/reading/ranges.js';
import { createOrderReader, readNumbers } from '../../../explorer/catalogue/reading/rows.js';
import { createSwitchReader } from '../../../explorer/catalogue/reading/values.js';
import { readVocabulary } from '../../../server/settings/read-vocabulary.js';

const TODAY = '2026-06-30';
const vocabulary = await readVocabulary({ endpointsDirectory: undefined });
const lexicon = new Lexicon(vocabulary);
const wordsOf = (text: string) => readTokens(text, (word) => lexicon.isWord(word)).map(({ word }) => word);

describe('reading questions', () => {
  it('keeps names, and separates joined words', () => {
    expect(wordsOf('Top-5 stargazers/issues of "amber-ibex/reed-stack", C++ & C#: reed-stack’s?!')).to.deep.equal([
      'top',
      '5',
      'stargazers',
      'issues',
      'of',
      'amber-ibex/reed-stack',
      'c++',
      'c#',
      'reed-stack',
    ]);
    expect(wordsOf('2026-01-01..2026-03-31 – 24h \u200b\u0000x')).to.deep.equal([
      ...['2026-01-01', 'to', '2026-03-31', '-', '24', 'hours', 'x'],
    ]);
  });

  it('reads the names of repositories from text and URLs', () => {
    const names = [
      ['a/b', 'a/b'],
      ['https://github.com/a/b', 'a/b'],
      ['http://www.github.com/a/b.git', 'a/b'],
      ['github.com/a/b/issues?q=1#top', 'a/b'],
      ['a/.github', 'a/.github'],
      ['a/b/c', undefined],
      ['https://example.org/a/b', undefined],
      ['-a/b', undefined],
      ['a/', undefined],
      [`${'a'.repeat(40)}/b`, undefined],
    ] as const;
    for (const [text, name] of names) expect(readRepositoryName(text)?.join('/'), text).to.equal(name);
  });

  it('reads ranges of days', () => {
    const ranges: Readonly<Record<string, object>> = {
      'since 2024': { from: '2024-01-01' },
      'since January 2026': { from: '2026-01-01' },
      'since march this year': { from: '2026-03-01' },
      'in june last year': { from: '2025-06-01', to: '2025-06-30' },
      'since march': { from: '2026-03-01' },
      'in november': { from: '2025-11-01', to: '2025-11-30' },
      'in March 2025': { from: '2025-03-01', to: '2025-03-31' },
      'on 5 March 2025': { from: '2025-03-05', to: '2025-03-05' },
      'on March 5th, 2025': { from: '2025-03-05', to: '2025-03-05' },
      'between March and May 2024': { from: '2024-03-01', to: '2024-05-31' },
      'between November and February 2024': { from: '2023-11-01', to: '2024-02-29' },
      'Jan - Mar 2026': { from: '2026-01-01', to: '2026-03-31' },
      '2026-01-01..2026-03-31': { from: '2026-01-01', to: '2026-03-31' },
      'from 2024 to 2025': { from: '2024-01-01', to: '2025-12-31' },
      '2024-2025': { from: '2024-01-01', to: '2025-12-31' },
      'in 2025-02': { from: '2025-02-01', to: '2025-02-28' },
      'in Q1 2026': { from: '2026-01-01', to: '2026-03-31' },
      'second half of 2025': { from: '2025-07-01', to: '2025-12-31' },
      'until the end of 2025': { to: '2025-12-31' },
      'before 2025': { to: '2024-12-31' },
      'after June 2025': { from: '2025-07-01' },
      'last year': { from: '2025-01-01', to: '2025-12-31' },
      'last month': { from: '2026-05-01', to: '2026-05-31' },
      'last week': { from: '2026-06-22', to: '2026-06-28' },
      'this year': { from: '2026-01-01' },
      'past year': { from: '2025-07-01' },
      'in the last six months': { from: '2025-12-31' },
      'past 28 days': { from: '2026-06-03' },
      'since 3 months ago': { from: '2026-03-30' },
      'year to date': { from: '2026-01-01' },
    };
    for (const [text, range] of Object.entries(ranges)) {
      const found = readRanges(wordsOf(text), TODAY).map((slot) => slot.kind === 'range' && slot.range);
      expect(found, text).to.deep.equal([range]);
    }
  });

  it('reads no range from days that do not exist, or from other words', () => {
    const texts = ['2025-02-30', 'since 2025-13-01', 'it may march', 'next year', 'the second one', '5'];
    for (const text of texts) expect(readRanges(wordsOf(text), TODAY), text).to.deep.equal([]);
  });

  it('corrects words of the vocabulary, and no other words', () => {
    const known = new Set(['started', 'merged']);
    const spelling = new Spelling(lexicon.words(), (word) => known.has(word) || lexicon.isWord(word));
    const corrected = ['stragazers', 'isseus', 'contry', 'oganizations', 'trendng', 'creaters'].map((word) =>
      spelling.correct(word),
    );
    expect(corrected).to.deep.equal(['stargazers', 'issues', 'country', 'organizations', 'trending', 'creators']);
    expect(spelling.correct('isue')).to.equal('issue');
    for (const word of [
      'tree',
      'started',
      'merged',
      'stars',
      'the',
      'reed-stack',
      'pingcap',
      'x'.repeat(500),
      '12345',
      '今天晚上吃',
    ]) {
      expect(spelling.correct(word), word).to.equal(undefined);
    }
  });

  it('reads which rows to include', () => {
    const switches = (text: string) =>
      createSwitchReader(vocabulary)(wordsOf(text)).map(
        (slot) => slot.kind === 'switch' && [slot.rows, slot.isExcluded],
      );
    expect(switches('including bots')).to.deep.equal([['bots', false]]);
    expect(switches('with the bots')).to.deep.equal([['bots', false]]);
    expect(switches('bots are included')).to.deep.equal([['bots', false]]);
    expect(switches('do not exclude bots')).to.deep.equal([['bots', false]]);
    expect(switches('without bots')).to.deep.equal([['bots', true]]);
    expect(switches('please do not hide the bots')).to.deep.equal([['bots', false]]);
    expect(switches('unknown = yes')).to.deep.equal([['unknown', false]]);
    expect(switches('unknown ones too')).to.deep.equal([['unknown', false]]);
    expect(switches('which bots')).to.deep.equal([]);
  });

  it('reads numbers of rows, and no numbers of other things', () => {
    const numbers = (text: string) => {
      const words = wordsOf(text);
      return readNumbers(words, lexicon.explain(words), () => false).map((slot) => 'value' in slot && slot.value);
    };
    expect(numbers('top 5 issue authors')).to.deep.equal([5]);
    expect(numbers('the ten most active users')).to.deep.equal([10]);
    expect(numbers('3 new people')).to.deep.equal([3]);
    expect(numbers('20 rows')).to.deep.equal([20]);
    expect(numbers('page 2')).to.deep.equal(['2']);
    expect(numbers('who opened 5 issues')).to.deep.equal([]);
  });

  it('reads the order of people, and not of their issues', () => {
    const orders = (text: string) => {
      const words = wordsOf(text);
      return createOrderReader(vocabulary)(words, lexicon.explain(words)).length;
    };
    expect(orders('newest issue creators')).to.equal(1);
    expect(orders('issue creators, newest first')).to.equal(1);
    expect(orders('who opened the newest issue')).to.equal(0);
  });

  it('finds collections by name, plural, part of the name, and id', () => {
    const names = ['Web Framework', 'Machine Learning Framework', 'Databases', 'Web Server'];
    const reader = new CollectionReader(names.map((name, index) => ({ id: index + 1, name })));
    const ids = (text: string) => reader.read(wordsOf(text)).map((slot) => slot.kind === 'collection' && slot.id);
    expect(ids('rank web frameworks by stars')).to.deep.equal([1]);
    expect(ids('the machine learning collection')).to.deep.equal([2]);
    expect(ids('the databases collection')).to.deep.equal([3]);
    expect(ids('collection 4')).to.deep.equal([4]);
    expect(ids('which databases exist')).to.deep.equal([]);
    expect(ids('the web collection')).to.deep.equal([]);
    expect(ids('collection 9')).to.deep.equal([]);
  });

  it('explains function words, adverbs and other forms of words, and no words that restrict', () => {
    const unknown = (text: string) => {
      const words = wordsOf(text);
      const meanings = lexicon.explain(words).filter(({ concepts, isFiller }) => concepts.length === 0 && !isFiller);
      return meanings.map(({ start }) => words[start]);
    };
    const question =
      'could you kindly draw me a nice chart, as well as any details that you currently have, of climbing stars';
    expect(unknown(question)).to.deep.equal([]);
    const restricting = 'only rarely not without unless watched both exactly';
    expect(unknown(restricting)).to.deep.equal(restricting.split(' '));
    expect(unknown('repositories wibbled')).to.deep.equal(['wibbled']);
  });

  it('removes words that say why a question is asked, and no conditions', () => {
    const texts: Readonly<Record<string, string>> = {
      'My manager wants to know who opened issues in a/b. Thanks in advance!': ' who opened issues in a/b',
      'I am preparing a talk about a/b, so show its stars': ' a/b, so show its stars',
      'For a newsletter I need the hot collections': ' the hot collections',
      'Good morning! Which collections exist?': '! Which collections exist?',
      'In Germany, which collections exist?': 'In Germany, which collections exist?',
      'only python: which collections exist?': 'only python: which collections exist?',
    };
    for (const [text, rest] of Object.entries(texts)) expect(withoutPreamble(text), text).to.equal(rest);
    const clauses: Readonly<Record<string, string>> = {
      'I am a student of chemistry, which collections exist?': ' which collections exist?',
      'We had a long discussion: which collections exist?': ' which collections exist?',
      'I only want humans, who opened issues in a/b': 'I only want humans, who opened issues in a/b',
      'As a fan of Rust, what is trending?': 'As a fan of Rust, what is trending?',
      'My stars of a/b, over time': 'My stars of a/b, over time',
    };
    for (const [text, rest] of Object.entries(clauses)) {
      expect(
        withoutPreamble(text, (word) => lexicon.restricts(word)),
        text,
      ).to.equal(rest);
    }
  });
});
