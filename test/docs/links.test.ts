import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import GithubSlugger from 'github-slugger';
import { codeSpansIn, DOCUMENTS, proseOf, ROOT } from './documents.js';

describe('links in the documents', () => {
  it('lead from the README to every document', () => {
    const linked = linksIn('README.md').map(({ target }) => target);
    expect(linked).to.include.members(DOCUMENTS.filter((path) => path !== 'README.md'));
  });

  it('and the names of all folders of the repository are in docs/architecture.md', () => {
    expect(codeSpansIn('docs/architecture.md')).to.include.members(FOLDERS.map((folder) => `${folder}/`));
  });

  for (const document of DOCUMENTS) {
    it(`lead from ${document} to existing files and headings`, () => {
      const broken = linksIn(document).filter(({ target, anchor }) => !hasTarget(target, anchor));
      expect(broken).to.deep.equal([]);
    });

    it(`and paths of files and folders in ${document} exist`, () => {
      expect(pathsIn(document).filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
    });
  }
});

interface Link {
  /** The path relative to the root of the repository. */
  readonly target: string;
  readonly anchor: string | undefined;
}

/** Returns the links in a document to files of the repository. */
function linksIn(document: string): Link[] {
  const addresses = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address);
  return addresses
    .filter((address) => !/^https?:/.test(address))
    .map((address) => {
      const [path = '', anchor] = address.split('#');
      return { target: path === '' ? document : join(dirname(document), path), anchor };
    });
}

function hasTarget(target: string, anchor: string | undefined): boolean {
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

function anchorsOf(document: string): string[] {
  const slugger = new GithubSlugger();
  return [...proseOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slugger.slug(heading));
}

/** Folders whose paths in documents must exist. Paths of other folders are examples. */
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(\..*|node_modules|dist|data)$/.test(entry.name))
  .map(({ name }) => name);

/** Returns the paths in code spans of a document. Files in `endpoints/` are omitted, because the reader creates them. */
function pathsIn(document: string): string[] {
  return codeSpansIn(document).filter(
    (code) =>
      /^[\w.-]+\/[\w./-]*$/.test(code) && FOLDERS.includes(code.split('/')[0] ?? '') && !/^endpoints\/./.test(code),
  );
}
