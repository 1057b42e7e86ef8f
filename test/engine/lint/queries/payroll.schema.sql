CREATE TABLE departments (id INT NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL UNIQUE, cost_center VARCHAR(10) NOT NULL, head_id INT);
CREATE TABLE employees (
  id INT NOT NULL PRIMARY KEY, badge VARCHAR(12) NOT NULL UNIQUE, name VARCHAR(80) NOT NULL, department_id INT, manager_id INT,
  hired_on DATE NOT NULL, left_on DATE, grade INT NOT NULL, country CHAR(2) NOT NULL,
  contract ENUM('permanent', 'temporary', 'intern') NOT NULL
);
CREATE TABLE salaries (
  employee_id INT NOT NULL, valid_from DATE NOT NULL, valid_to DATE, monthly DECIMAL(10, 2) NOT NULL, currency CHAR(3) NOT NULL,
  PRIMARY KEY (employee_id, valid_from)
);
CREATE TABLE payslips (
  id BIGINT NOT NULL PRIMARY KEY, employee_id INT NOT NULL, period DATE NOT NULL, gross DECIMAL(10, 2) NOT NULL,
  net DECIMAL(10, 2) NOT NULL, bonus DECIMAL(10, 2), UNIQUE (employee_id, period)
);
CREATE TABLE absences (
  id BIGINT NOT NULL PRIMARY KEY, employee_id INT NOT NULL, kind ENUM('vacation', 'sick', 'parental') NOT NULL,
  starts_on DATE NOT NULL, ends_on DATE NOT NULL, approved_by INT
);
CREATE TABLE clients (id INT NOT NULL PRIMARY KEY, name VARCHAR(80) NOT NULL);
CREATE TABLE projects (
  id INT NOT NULL PRIMARY KEY, code VARCHAR(12) NOT NULL UNIQUE, name VARCHAR(80) NOT NULL, client_id INT,
  budget DECIMAL(12, 2), started_on DATE NOT NULL, closed_on DATE
);
CREATE TABLE timesheets (
  employee_id INT NOT NULL, project_id INT NOT NULL, day DATE NOT NULL, hours DECIMAL(5, 2) NOT NULL, note VARCHAR(200),
  PRIMARY KEY (employee_id, project_id, day)
);
CREATE TABLE rates (currency CHAR(3) NOT NULL, day DATE NOT NULL, per_eur DECIMAL(12, 6) NOT NULL, PRIMARY KEY (currency, day));
