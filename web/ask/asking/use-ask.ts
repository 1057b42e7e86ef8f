import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ownQuestionsQuery } from '../../api/account.js';
import { askQuestion, questionQuery } from '../../api/questions.js';

/** Asks a question and opens its page. With `ignoreCache`, the cached answer of an equal question is not used. */
export function useAsk() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ text, ignoreCache = false }: { readonly text: string; readonly ignoreCache?: boolean }) =>
      askQuestion(text, ignoreCache),
    onSuccess: async (record) => {
      queryClient.setQueryData(questionQuery(record.id).queryKey, record);
      void queryClient.invalidateQueries({ queryKey: ownQuestionsQuery.queryKey });
      await navigate({ to: '/ask/$question', params: { question: record.id } });
    },
  });
}
