-- repeated-sum
SELECT d.name, SUM(s.monthly) AS monthly FROM departments d JOIN employees e ON e.department_id = d.id JOIN salaries s ON s.employee_id = e.id JOIN timesheets t ON t.employee_id = e.id WHERE s.valid_to IS NULL GROUP BY d.id, d.name ORDER BY d.name;

-- repeated-sum
SELECT c.name, SUM(p.budget) AS budget, SUM(t.hours) AS hours FROM clients c JOIN projects p ON p.client_id = c.id JOIN timesheets t ON t.project_id = p.id GROUP BY c.id, c.name ORDER BY c.id;

-- repeated-sum
SELECT e.country, COUNT(*) AS employee_count FROM employees e JOIN payslips p ON p.employee_id = e.id GROUP BY e.country ORDER BY e.country;

-- repeated-sum
SELECT e.id, COUNT(*) AS n FROM employees e JOIN absences a ON a.employee_id = e.id JOIN payslips p ON p.employee_id = e.id GROUP BY e.id ORDER BY e.id;

-- left-join-counted
SELECT p.code, COUNT(*) AS entries FROM projects p LEFT JOIN timesheets t ON t.project_id = p.id GROUP BY p.id, p.code ORDER BY p.code;

-- left-join-filtered
SELECT e.id, s.monthly FROM employees e LEFT JOIN salaries s ON s.employee_id = e.id WHERE s.valid_from <= '2024-06-01' ORDER BY e.id, s.valid_from;

-- left-join-filtered
SELECT e.id FROM employees e LEFT JOIN departments d ON d.id = e.department_id WHERE NOT d.name = 'Sales' AND e.left_on IS NULL ORDER BY e.id;

-- left-join-filtered
SELECT e.id FROM employees e LEFT JOIN absences a ON a.employee_id = e.id WHERE DATEDIFF(a.ends_on, a.starts_on) > 10 ORDER BY e.id, a.id;

-- missing-join-condition
SELECT e.name, d.name AS department FROM employees e, departments d WHERE e.left_on IS NULL ORDER BY e.id, d.id;

-- missing-join-condition
WITH staff AS (SELECT id, department_id FROM employees WHERE left_on IS NULL) SELECT d.name, COUNT(*) AS staff FROM departments d JOIN staff s GROUP BY d.id, d.name ORDER BY d.name;

-- compared-with-itself
SELECT e.id FROM employees e JOIN employees m ON m.id = m.id WHERE e.country <> m.country ORDER BY e.id, m.id;

-- compared-with-itself
SELECT e.id FROM employees e WHERE NOT EXISTS (SELECT 1 FROM payslips p WHERE employee_id = p.employee_id AND p.period = '2024-05-01') ORDER BY e.id;

-- not-in-nullable
SELECT id, name FROM employees WHERE id NOT IN (SELECT manager_id FROM employees) ORDER BY id;

-- not-in-nullable
SELECT e.id FROM employees e WHERE NOT (e.id IN (SELECT d.head_id FROM departments d)) ORDER BY e.id;

-- null-rows-dropped
SELECT e.id, e.name FROM employees e WHERE e.department_id <> 4 ORDER BY e.id;

-- null-rows-dropped
SELECT COUNT(*) AS n FROM projects WHERE NOT client_id = 7 AND started_on >= '2024-01-01';

-- average-of-averages
SELECT AVG(monthly) AS monthly FROM (SELECT e.department_id, AVG(s.monthly) AS monthly FROM employees e JOIN salaries s ON s.employee_id = e.id GROUP BY e.department_id) x;

-- union-drops-rows
SELECT SUM(hours) AS hours FROM (SELECT hours FROM timesheets WHERE project_id = 1 UNION SELECT hours FROM timesheets WHERE project_id = 2) x;

-- truncated-ratio
SELECT period, SUM(net) DIV SUM(gross) AS share FROM payslips GROUP BY period ORDER BY period;

-- week-without-year
SELECT employee_id, WEEK(day, 1) AS week, SUM(hours) AS hours FROM timesheets GROUP BY employee_id, WEEK(day, 1) ORDER BY employee_id, week;

-- limit-without-order
SELECT e.id FROM employees e WHERE e.grade = (SELECT x.grade FROM employees x WHERE x.country = 'NO' LIMIT 1) ORDER BY e.id;

-- unordered-list
SELECT department_id, GROUP_CONCAT(name SEPARATOR '; ') AS names FROM employees WHERE department_id IS NOT NULL GROUP BY department_id ORDER BY department_id;

-- unstable-row-number
SELECT department_id, name FROM (SELECT id, department_id, name, ROW_NUMBER() OVER (PARTITION BY department_id ORDER BY hired_on) AS n FROM employees) x WHERE n = 1 ORDER BY department_id, name;

-- unknown-enum-value
SELECT COUNT(*) AS n FROM employees WHERE contract <> 'trainee';

-- unknown-enum-value
SELECT employee_id, COUNT(*) AS holidays FROM absences WHERE kind = 'holiday' GROUP BY employee_id ORDER BY employee_id;

-- outer-column-in-subquery
SELECT e.id FROM employees e WHERE e.department_id IN (SELECT department_id FROM departments WHERE cost_center = 'A1') ORDER BY e.id;
