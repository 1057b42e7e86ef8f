import { expect } from 'chai';
import { editRows, type RowsEdit } from '../../../engine/authoring/index.js';

const HEAD = `name: list-loaves
summary: Loaves
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Id }
sql: SELECT 1 AS id
`;

describe('the edit of expected rows', () => {
  const edit = (index: number, name: string, rows: RowsEdit['rows'], others: Partial<RowsEdit> = {}): RowsEdit => {
    return { list: 'examples', index, name, rows, facts: {}, ...others };
  };
  const edited = async (requests: string, edits: readonly RowsEdit[], file = 'one.yaml') => {
    const text = await editRows(file, HEAD + requests, edits);
    expect(text.slice(0, HEAD.length)).to.equal(HEAD);
    return text.slice(HEAD.length);
  };
  const messageOf = (text: string, edits: readonly RowsEdit[], file = 'one.yaml') =>
    editRows(file, text, edits).then(
      () => 'no error',
      (error: Error) => error.message,
    );

  it('adds, replaces and empties rows, and keeps all comments and other formatting', async () => {
    const before = `examples: # the requests
  - name: "no rows"   # why
    params: {  }  # none

  # a comment between
  - {name: 'in braces', params: { }, }
  -   params: {}
      rows:
        - {id: '1'}   # an old row
        # the last row
        - id: '2'
      # below the rows
      name: replaced
  - { name: emptied, rows: [ {id: '1'} ], params: {} } # after
# the end
`;
    const after = `examples: # the requests
  - name: "no rows"   # why
    params: {  }  # none
    rows:
      - { id: "3" }

  # a comment between
  - {name: 'in braces', params: { }, rows: [{ id: "4" }, { id: "5" }], }
  -   params: {}
      rows:
        - { id: "6" }
      # below the rows
      name: replaced
  - { name: emptied, rows: [], params: {} } # after
# the end
`;
    const edits = [
      edit(0, 'no rows', [{ id: '3' }]),
      edit(1, 'in braces', [{ id: '4' }, { id: '5' }]),
      edit(2, 'replaced', [{ id: '6' }]),
      edit(3, 'emptied', []),
    ];
    expect(await edited(before, edits)).to.equal(after);
    expect(await edited(after, edits)).to.equal(after);
  });

  it('keeps the comment of the next request after rows at the end of a request', async () => {
    const before =
      "examples:\n- name: one\n  params: {}\n  rows:\n  - { id: '1' }\n\n# about two\n- name: two\n  params: {}";
    const after =
      'examples:\n- name: one\n  params: {}\n  rows: []\n\n# about two\n- name: two\n  params: {}\n  rows:\n    - { id: "9" }';
    expect(await edited(before, [edit(0, 'one', []), edit(1, 'two', [{ id: '9' }])])).to.equal(after);
  });

  it('writes the line ends of the file', async () => {
    const before = 'fixtures:\r\n  - name: one\r\n    tables: {}\r\n';
    const edits = [edit(0, 'one', [{ id: '1' }], { list: 'fixtures', facts: { notices: ['a'] } })];
    expect(await editRows('one.yaml', HEAD.replaceAll('\n', '\r\n') + before, edits)).to.equal(
      `${HEAD.replaceAll('\n', '\r\n')}fixtures:\r\n  - name: one\r\n    tables: {}\r\n    rows:\r\n      - { id: "1" }\r\n    notices:\r\n      - "a"\r\n`,
    );
  });

  it('writes any text so that it is read again unchanged', async () => {
    const hostile = [
      `a"b'c\\d`,
      'two\nlines\r\n\t# no comment: {x} [y]',
      '\u007f\u0085\u009f\u2028\u2029\ufeff\u0001',
      '😀 ünï',
      '- no',
      'null',
      '2026-01-01',
      ' x ',
      '{{ y }}',
    ];
    const rows = hostile.map((text) => ({ id: text, null: text, Y: text }));
    // The edit itself checks that all other values are unchanged.
    const text = await edited('examples:\n  - { name: one, params: {} }\n', [edit(0, 'one', rows)]);
    expect(text)
      .to.include('\'null\': "a\\"b\'c\\\\d"')
      .and.include('"\\u007f\\u0085\\u009f\\u2028\\u2029\\ufeff\\u0001"');
  });

  it('edits JSON files', async () => {
    const text = '{\n  "name": "x",\n  "examples": [\n    { "name": "one", "params": {} }\n  ]\n}\n';
    const after = await editRows('one.json', text, [edit(0, 'one', [{ id: '\u2028"' }])]);
    expect(after).to.equal(text.replace('{} }', '{}, "rows": [{ "id": "\\u2028\\"" }] }'));
    expect(JSON.parse(after).examples[0].rows).to.deep.equal([{ id: '\u2028"' }]);
  });

  it('does not edit a file that changed, and does not make a file too large', async () => {
    const text = `${HEAD}examples:\n  - { name: one, params: {} }\n`;
    const changed = 'one.yaml changed while its requests ran: run the command again.';
    expect(await messageOf(text, [edit(0, 'two', [])])).to.equal(changed);
    expect(await messageOf(text, [edit(1, 'one', [])])).to.equal(changed);
    expect(await messageOf(`${text}  broken`, [edit(0, 'one', [])])).to.equal(changed);
    expect(await messageOf('', [edit(0, 'one', [])])).to.equal(changed);
    const many = Array.from({ length: 1000 }, () => ({ id: 'x'.repeat(1000) }));
    expect(await messageOf(text, [edit(0, 'one', many)])).to.equal(
      'one.yaml would have more than 1000000 bytes with the new rows: use requests with fewer rows.',
    );
  });
});
