CREATE TABLE authors (id INT NOT NULL PRIMARY KEY, name VARCHAR(100) NOT NULL, born_year INT, country CHAR(2));
CREATE TABLE books (
  id INT NOT NULL PRIMARY KEY, isbn VARCHAR(17), title VARCHAR(200) NOT NULL, author_id INT NOT NULL,
  published_year INT NOT NULL, genre VARCHAR(40) NOT NULL, pages INT
);
CREATE TABLE subjects (id INT NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL UNIQUE);
CREATE TABLE book_subjects (book_id INT NOT NULL, subject_id INT NOT NULL, PRIMARY KEY (book_id, subject_id));
CREATE TABLE branches (id INT NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL UNIQUE, city VARCHAR(60) NOT NULL);
CREATE TABLE copies (
  id INT NOT NULL PRIMARY KEY, book_id INT NOT NULL, branch_id INT NOT NULL, acquired_on DATE NOT NULL,
  status ENUM('shelf', 'lent', 'lost', 'repair') NOT NULL
);
CREATE TABLE members (
  id INT NOT NULL PRIMARY KEY, card_no VARCHAR(16) NOT NULL UNIQUE, name VARCHAR(100) NOT NULL, joined_on DATE NOT NULL,
  expires_on DATE, email VARCHAR(120), home_branch_id INT
);
CREATE TABLE loans (
  id BIGINT NOT NULL PRIMARY KEY, copy_id INT NOT NULL, member_id INT NOT NULL, loaned_at DATETIME NOT NULL,
  due_on DATE NOT NULL, returned_at DATETIME, renewals INT NOT NULL
);
CREATE TABLE holds (
  id BIGINT NOT NULL PRIMARY KEY, book_id INT NOT NULL, member_id INT NOT NULL, placed_at DATETIME NOT NULL,
  fulfilled_at DATETIME, cancelled_at DATETIME
);
CREATE TABLE fines (id BIGINT NOT NULL PRIMARY KEY, loan_id BIGINT NOT NULL, amount DECIMAL(8, 2) NOT NULL, paid_on DATE, waived INT NOT NULL);
