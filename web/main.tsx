import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.js';
import { STYLE_NONCE } from './app/nonce.js';
import { createConsoleRouter } from './app/router.js';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
const queryClient = createQueryClient();
createRoot(root).render(
  <StrictMode>
    <CSPProvider {...(STYLE_NONCE !== undefined && { nonce: STYLE_NONCE })}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createConsoleRouter(queryClient)} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
