import { EditorView } from '@codemirror/view';

/**
 * Replaces the selection when the user types, instead of letting the browser do it. Chromium would copy the colors of the selected text
 * into an inline style, which violates the security policy of the page.
 */
export const replaceSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing } = event;
    const selection = document.getSelection();
    if (inputType !== 'insertText' || data === null || isComposing) return false;
    if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return false;
    const range = selection.getRangeAt(0);
    const from = view.posAtDOM(range.startContainer, range.startOffset);
    const to = view.posAtDOM(range.endContainer, range.endOffset);
    // The editor's own selection may be outdated, because the editor is updated after the browser.
    const { main } = view.state.selection;
    if (main.from !== from || main.to !== to) view.dispatch({ selection: { anchor: from, head: to } });
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!isHandled) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
