# SPDX-License-Identifier: BSD-2-Clause
lib_LIBRARIES += libvat.a
vatincludedir = $(includedir)/vat
vatinclude_HEADERS = \
	vat/bounds.h \
	vat/classify.h \
	vat/curve.h \
	vat/layout.h \
	vat/nested.h \
	vat/policy.h \
	vat/table.h \
	vat/tc.h \
	vat/trace.h \
	vat/tree.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = vat/vat.pc
libvat_a_SOURCES = $(files_vat)
vat_LIBS = $(ZSTD_LIBS) $(ZLIB_LIBS) -lm

# The installed library, as somebody else would use it: by the example of
# libvat(3), as that is printed.
installcheck-local:
	rm -rf installcheck.tmp && mkdir installcheck.tmp
	page=$(DESTDIR)$(mandir)/man3/libvat.3; cd installcheck.tmp && \
	if $(abs_srcdir)/tests/doc/examples.sh $$page '/*' 1 >translate.c; then \
	  $(abs_srcdir)/tests/doc/examples.sh $$page '/*' 2 >expected; \
	else \
	  echo "SKIPPED the example as it is printed: no page, or nothing that sets it"; \
	  cp $(abs_srcdir)/doc/examples/translate.c .; \
	  cp $(abs_srcdir)/doc/examples/translate.expected expected; \
	fi
	flags=`PKG_CONFIG_PATH=$(DESTDIR)$(pkgconfigdir) PKG_CONFIG_SYSROOT_DIR=$(DESTDIR) pkg-config --cflags --libs vat` && \
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) installcheck.tmp/translate.c $$flags \
	  -o installcheck.tmp/translate
	for header in $(vatinclude_HEADERS); do echo "#include <$$header>"; done \
	  >installcheck.tmp/headers.cc
	$(CXX) $(CPPFLAGS) -I$(DESTDIR)$(includedir) -Wall -Werror -fsyntax-only installcheck.tmp/headers.cc
	installcheck.tmp/translate | diff installcheck.tmp/expected -
	$(DESTDIR)$(bindir)/vat list algos | grep '^permute ' >/dev/null
	rm -rf installcheck.tmp
